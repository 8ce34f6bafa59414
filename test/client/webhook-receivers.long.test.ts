import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { eventRequests } from "../../src/api/event-payloads.ts";
import { writeJson } from "../../src/contract/json/json.ts";
import { signatureHeaders } from "../../src/delivery/webhook.ts";
import { freePort } from "../postgres/server.ts";
import { blocksOf } from "../repository/documents.ts";
import { until } from "../until.ts";
import { followLog } from "../wire/process.ts";
import { installClient, linkPackages, PROJECT, run } from "./installed.ts";

// Runs the receivers in docs/guides/webhooks.md, as readers do after they have copied them. They must accept each delivery of
// petstore once, and refuse anything else.

const SECRET = "whsec_cGV0c3RvcmUtZXhhbXBsZS1zZWNyZXQtMzJieXRlcyE=";
const OTHER = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const COMPILER = join(PROJECT, "node_modules/typescript/bin/tsc");

let project: string;
beforeAll(async () => {
  for (const program of ["python3", "go"])
    if (Bun.which(program) === null)
      throw new Error(
        `This test runs receivers with ${program}, which is not installed: apt-get install python3 golang-go`,
      );
  ({ project } = await installClient());
  await linkPackages(join(project, "node_modules"), (name) => ["@types", "undici-types"].includes(name));
});

/**
 * For each language, a function that writes the receiver's program, builds it if necessary, and returns the command that starts it.
 */
const BUILDS: Readonly<Record<string, (source: string) => Promise<readonly string[]>>> = {
  async "TypeScript on Bun"(source) {
    await Bun.write(join(project, "receiver.ts"), source);
    return [process.execPath, "receiver.ts"];
  },
  async "TypeScript on Node"(source) {
    await Bun.write(join(project, "receiver.ts"), source);
    const compilerOptions = {
      ...{ strict: true, target: "ES2022", lib: ["ES2022"], module: "NodeNext", types: ["node"] },
      ...{ skipLibCheck: true, outDir: "out" },
    };
    await Bun.write(
      join(project, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include: ["receiver.ts"] }),
    );
    await run(project, process.execPath, COMPILER, "--pretty", "false");
    return ["node", "out/receiver.js"];
  },
  async Python(source) {
    await Bun.write(join(project, "receiver.py"), source);
    return ["python3", "receiver.py"];
  },
  async Go(source) {
    await Bun.write(join(project, "receiver.go"), source);
    await run(project, "go", "vet", "receiver.go");
    await run(project, "go", "build", "receiver.go");
    return [join(project, "receiver")];
  },
};
const FENCES: Readonly<Record<string, string>> = { TypeScript: "ts", Python: "python", Go: "go" };

for (const [name, build] of Object.entries(BUILDS)) {
  describe(`the receiver in ${name}`, () => {
    let receiver: Awaited<ReturnType<typeof start>>;
    beforeAll(async () => {
      const [source = ""] = await blocksOf("docs/guides/webhooks.md", FENCES[name.split(" ")[0] ?? ""] ?? "");
      const port = freePort();
      receiver = await start(await build(source.replaceAll("4000", String(port))), port);
    });
    afterAll(() => receiver.stop());

    test("accepts every type of event once, and prints its identifier and type", async () => {
      const expected: string[] = [];
      const bodies = eventRequests.flatMap(({ types, example }) =>
        types.map((type) => ({ ...Object(example), type })),
      );
      for (const [index, body] of bodies.entries()) {
        const { type } = body;
        const id = `evt_${index}`;
        expected.push(`${id} ${type}`);
        // Sends each delivery twice, because a real delivery may also arrive more than once.
        for (let time = 0; time < 2; time++)
          expect([type, await receiver.send(id, writeJson(body))]).toEqual([type, 204]);
      }
      expect(await receiver.printed(expected.length)).toEqual(expected);
    });

    test("accepts one valid signature of two, whatever text and integers the body has", async () => {
      const body = `{"type":"pet.created","timestamp":"2026-01-01T12:00:00.000Z","data":{"name":"Zoë 🐈","id":9007199254740993}}`;
      const others = signatureHeaders([OTHER], "evt_both", Date.now(), body)["webhook-signature"];
      expect(await receiver.send("evt_both", body, { before: `${others} ` })).toBe(204);
    });

    test("refuses a delivery with a wrong body, secret or time, or without a signature", async () => {
      const body = writeJson(eventRequests[0]?.example);
      expect(await receiver.send("evt_a", body, { sent: body.replace("Fluffy", "Flaffy") })).toBe(400);
      expect(await receiver.send("evt_b", body, { secret: OTHER })).toBe(400);
      expect(await receiver.send("evt_c", body, { ageMs: 301_000 })).toBe(400);
      expect(await receiver.send("evt_d", body, { ageMs: -310_000 })).toBe(400);
      expect(await receiver.send("evt_e", body, { without: "webhook-signature" })).toBe(400);
      expect(await receiver.send("evt_f", body, { without: "webhook-timestamp" })).toBe(400);
      expect(await receiver.send("evt_g", body, { without: "webhook-id" })).toBe(400);
      expect(await receiver.send("evt_h", body)).toBe(204);
    });
  });
}

interface Forgery {
  readonly secret?: string;
  readonly ageMs?: number;
  /** A different body, sent in place of the one that was signed. */
  readonly sent?: string;
  /** The name of a header to leave out. */
  readonly without?: string;
  /** Other signatures to put before the correct one in the header. */
  readonly before?: string;
}

async function start(command: readonly string[], port: number) {
  const child = Bun.spawn([...command], {
    cwd: project,
    env: { ...process.env, WEBHOOK_SECRET: SECRET },
    stdout: "pipe",
    stderr: "inherit",
  });
  const log = followLog(child.stdout);
  const address = `http://127.0.0.1:${port}/`;
  await until(() => fetch(address, { method: "POST", body: "" }).then(Boolean, () => false));
  return {
    async send(
      id: string,
      body: string,
      { secret = SECRET, ageMs = 0, sent = body, without, before = "" }: Forgery = {},
    ) {
      const headers = new Headers(signatureHeaders([secret], id, Date.now() - ageMs, body));
      headers.set("webhook-signature", before + headers.get("webhook-signature"));
      if (without !== undefined) headers.delete(without);
      return (await fetch(address, { method: "POST", headers, body: sent })).status;
    },
    printed: (count: number) =>
      log.until((text) => (text.split("\n").length > count ? text.trimEnd().split("\n") : undefined)),
    async stop() {
      child.kill();
      await log.ended;
    },
  };
}
