import { beforeAll, describe, expect, test } from "bun:test";
import { verifyWebhook } from "../../client/src/client.ts";
import { createDestination } from "./deliveries.ts";
import { type RemoteUser, readUntil, userWithKey } from "./remote.ts";
import { useStore } from "./server.ts";

const server = useStore({ environment: "staging" });
let user: RemoteUser;
beforeAll(async () => {
  user = await userWithKey(server, { PETSTORE_KEY: server.key, PETSTORE_URL: server.staging });
});

const addPet = (name: string) => server.post("/pets", `{"name":"${name}","categoryId":9007199254740993}`);

/** Runs `petstore listen` until it has printed this many lines, and then interrupts it. */
async function listen(args: readonly string[], lines: number, env = {}) {
  const child = user.begin(["listen", ...args], { ...user.env, ...env });
  const out = await readUntil(child, (printed) => printed.split("\n").length > lines);
  child.kill("SIGINT");
  const [code, err] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  return { code, err, rows: out.trimEnd().split("\n") };
}

describe("petstore listen", () => {
  test("delivers staging's events in order, each signed with the secret that it printed", async () => {
    const destination = createDestination(204);
    await addPet("Ada");
    await addPet("Grace");
    const listening = listen(["--forward-to", destination.url, "--after", "0"], 4);
    await destination.received(2);
    await addPet("Edsger");
    const { code, err, rows } = await listening;
    const [, secret = ""] = /^Deliveries are signed with (whsec_\S+)\. /.exec(err) ?? [];
    expect([code, err]).toEqual([
      0,
      `Deliveries are signed with ${secret}. To use the same secret next time, set PETSTORE_LISTEN_SECRET.\nDelivering the events of staging to ${destination.url}. Stop with Ctrl-C.\n`,
    ]);
    const payloads = await Promise.all(
      destination.deliveries.map(({ headers, body }) => verifyWebhook(headers, body, secret)),
    );
    const type = "pet.created";
    expect(payloads).toMatchObject([
      { type, id: 1, environment: "staging", data: { name: "Ada", categoryId: 9007199254740993n } },
      { type, id: 2, data: { name: "Grace" } },
      { type, id: 3, data: { name: "Edsger" } },
    ]);
    expect(destination.deliveries.map(({ headers }) => headers.get("webhook-id"))).toEqual([
      "evt_1",
      "evt_2",
      "evt_3",
    ]);
    expect(destination.deliveries[0]?.headers.get("user-agent")).toMatch(/^petstore\/\d/);
    expect(destination.deliveries[0]?.headers.get("authorization")).toBeNull();
    const cells = rows.map((row) => row.split(/ {2,}/));
    expect(cells.map(([, id, type, , answer]) => [id, type, answer])).toEqual([
      ["EVENT", "TYPE", "ANSWER"],
      ["1", "pet.created", "204"],
      ["2", "pet.created", "204"],
      ["3", "pet.created", "204"],
    ]);
    await destination.stop();
  });

  test("retries a refused event before the next one, and does not print a secret from the environment", async () => {
    const destination = createDestination(500, 200);
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const args = ["--forward-to", destination.url, "--after", "1", "--type", "pet.created", "--json"];
    const { code, err, rows } = await listen(args, 3, { PETSTORE_LISTEN_SECRET: secret });
    expect([code, err.includes("whsec_")]).toEqual([0, false]);
    const attempts = rows.map((row) => JSON.parse(row));
    expect(attempts).toMatchObject([
      { eventId: 2, type: "pet.created", status: 500, isDelivered: false, retryMs: 1000 },
      { eventId: 2, type: "pet.created", status: 200, isDelivered: true },
      { eventId: 3, type: "pet.created", status: 200, isDelivered: true },
    ]);
    for (const { headers, body } of destination.deliveries) await verifyWebhook(headers, body, secret);
    await destination.stop();
  });

  test("says what is wrong with its settings", async () => {
    const said = async (...args: string[]) => (await user.run(["listen", ...args])).err;
    expect(await said("--forward-to", "ftp://localhost")).toContain("Use an http or https URL");
    expect(await said()).toContain("--forward-to");
    const forged = { PETSTORE_LISTEN_SECRET: "whsec_short" };
    const child = user.begin(["listen", "--forward-to", "http://localhost:9"], { ...user.env, ...forged });
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([
      2,
      "petstore: PETSTORE_LISTEN_SECRET must be whsec_ followed by 24 to 64 bytes in base64.\n",
    ]);
    const production = await user.run([
      "listen",
      "--forward-to",
      "http://localhost:9",
      "--environment",
      "production",
    ]);
    expect([production.code, production.err]).toEqual([
      1,
      expect.stringContaining("PETSTORE_KEY is a key for staging"),
    ]);
  });

  test("continues after a reset, and starts with an empty log", async () => {
    const reset = () => server.post("/test/reset", { fixture: "empty" });
    await reset();
    const destination = createDestination(204);
    const listening = listen(["--forward-to", destination.url, "--after", "0"], 3);
    await addPet("Ada");
    await destination.received(1);
    await reset();
    await addPet("Grace");
    const { code, err } = await listening;
    expect(code).toBe(0);
    expect(err).toContain("Earlier events were deleted, for example by a reset.");
    expect(destination.deliveries.map(({ body }) => JSON.parse(body).data.name)).toEqual(["Ada", "Grace"]);
    await destination.stop();
  });
});
