import { beforeAll, describe, expect, test } from "bun:test";
import { refusal, startFlawedServer } from "../client/flawed-server.ts";
import { readUntil, useUser } from "./remote.ts";
import { useStore } from "./server.ts";

const server = useStore();
const user = useUser(server);
beforeAll(async () => {
  await server.post("/pets", '{"name":"Fluffy","categoryId":9007199254740993,"status":"available"}');
  await server.post("/store/orders", { petId: 1 });
  await server.send("DELETE /store/orders/1");
  await server.send("PATCH /pets/1", { body: { status: null } });
  await server.send("DELETE /pets/1");
  await server.post("/categories", { name: "Cats" });
});

interface Shown {
  readonly id: number;
  readonly type: string;
}

describe("petstore events", () => {
  test("lists changes newest first: what was changed, how, and by whom", async () => {
    const { code, out, err } = await user.run(["events"]);
    expect([code, err]).toEqual([0, ""]);
    const rows = out.trimEnd().split("\n");
    const cells = rows.map((row) => row.split(/ {2,}/));
    expect(cells[0]).toEqual(["ID", "TIME", "TYPE", "WHAT", "CHANGE", "BY"]);
    expect(cells.slice(1).map(([id, time, ...rest]) => [id, (time ?? "").length, rest.join("|")])).toEqual([
      ["8", 24, "category.created|category 1 Cats|command line"],
      ["7", 24, "pet.deleted|animal 1 Fluffy|command line"],
      ["6", 24, "pet.updated|animal 1 Fluffy|status: available → none|command line"],
      ["5", 24, "pet.updated|animal 1 Fluffy|status: pending → available|command line"],
      ["4", 24, "order.cancelled|order 1 of animal 1|command line"],
      ["3", 24, "pet.updated|animal 1 Fluffy|status: available → pending|command line"],
      ["2", 24, "order.placed|order 1 of animal 1|command line"],
      ["1", 24, "pet.created|animal 1 Fluffy|command line"],
    ]);
  });

  test("filters by type and animal, and prints JSON with every digit", async () => {
    const { out } = await user.run(["events", "--type", "pet.created, pet.deleted", "--pet", "1", "--json"]);
    expect(JSON.parse(out).map(({ id, type }: Shown) => [id, type])).toEqual([
      [7, "pet.deleted"],
      [1, "pet.created"],
    ]);
    const repeated = ["events", "--type", "pet.created", "--type", "pet.deleted", "--pet", "1", "--json"];
    expect((await user.run(repeated)).out).toBe(out);
    expect(out).toContain('"categoryId": 9007199254740993,');
    expect((await user.run(["events", "--limit", "1"])).err).toBe(
      "There are more events than shown. Set a higher --limit, or show all with --all.\n",
    );
  });

  test("refuses a type that does not exist, --after without --follow, and --follow with a limit", async () => {
    const limited = await user.run(["events", "--follow", "--limit", "1"]);
    expect([limited.code, limited.err]).toEqual([
      2,
      expect.stringContaining("cannot be used with option '--limit"),
    ]);
    const unknown = await user.run(["events", "--type", "pet.sold"]);
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining("Choose from pet.created, ")]);
    expect(await user.run(["events", "--after", "1"])).toEqual({
      code: 2,
      out: "",
      err: "petstore: --after needs --follow.\n",
    });
  });
});

describe("petstore events --follow", () => {
  const event = (id: number, more = {}) => ({
    id,
    type: "pet.created",
    createdAt: "2026-01-01T12:00:00.000Z",
    environment: "production",
    actor: { kind: "person", id: "3", name: "" },
    requestId: "req",
    data: { id: 1, name: "Flu\u202effy", categoryId: 1 },
    ...more,
  });
  async function* stream(pieces: readonly object[], then: "close" | "stay"): AsyncGenerator<string> {
    yield "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    for (const piece of pieces) yield `data: ${JSON.stringify(piece)}\n\n`;
    if (then === "stay") await new Promise<never>(() => {});
  }

  test("prints events as lines of JSON until Ctrl-C, and reconnects after a lost connection", async () => {
    const slow = await startFlawedServer((_, count) =>
      count === 1 ? stream([event(6)], "close") : stream([event(7), event(8)], "stay"),
    );
    const child = user.begin(["events", "--follow", "--after", "5", "--pet", "1", "--json"], {
      ...user.env,
      PETSTORE_URL: `${slow.origin}/v1`,
    });
    const printed = await readUntil(child, (text) => text.includes('"id":8'));
    child.kill("SIGINT");
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ""]);
    const lines = printed.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([event(6), event(7), event(8)]);
    expect(printed).not.toContain("\u202e");
    expect(slow.seen.map(({ target, headers }) => [target, headers["last-event-id"]])).toEqual([
      ["/v1/events?petId=1", "5"],
      ["/v1/events?petId=1", "6"],
    ]);
    slow.stop();
  });

  test("prints a table without --json, and says on a terminal how to stop", async () => {
    const previous = { status: null };
    const data = { id: 1, name: "Fluffy", categoryId: 1, status: "sold" };
    const busy = await startFlawedServer(() =>
      stream([event(6, { type: "pet.updated", data, previous })], "stay"),
    );
    const { code, screen } = await user.onTerminal(["events", "--follow", "--after", "5"], {
      env: { PETSTORE_URL: `${busy.origin}/v1`, NO_COLOR: "1" },
      onText(text, type) {
        if (text.endsWith("person 3\r\n")) type("\u0003");
      },
    });
    expect(code).toBe(0);
    expect(screen).toContain("Following the events of production. Stop with Ctrl-C.");
    expect(screen).toMatch(
      /6 +2026-01-01T12:00:00.000Z +pet.updated +animal 1 Fluffy +status: none → sold +person 3/,
    );
    busy.stop();
  });

  test("says what to do when the next events have been deleted", async () => {
    const pruned = await startFlawedServer(() => refusal(410, "cursor_expired"));
    const { code, err } = await user.run([
      "events",
      "--follow",
      "--after",
      "5",
      "--url",
      `${pruned.origin}/v1`,
    ]);
    expect([code, err]).toEqual([1, expect.stringMatching(/^petstore: Refused: cursor_expired\./)]);
    pruned.stop();
  });
});
