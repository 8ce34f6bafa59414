import { beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "../../client/src/client.ts";
import { signatureHeaders } from "../../src/delivery/webhook.ts";
import { freePort } from "../postgres/server.ts";
import { until } from "../until.ts";
import { followLog, outcomeOf, type ServerProcess, startProcess } from "../wire/process.ts";
import { makeKey, useStore } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { answer, startFlawedServer } from "./flawed-server.ts";
import { PROJECT } from "./installed.ts";

// Runs examples/petstore.py and examples/sync.py unchanged, with only Python's standard library.

const SECRET = "whsec_cGV0c3RvcmUtZXhhbXBsZS1zZWNyZXQtMzJieXRlcyE=";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "petstore-python-"));
  for (const name of ["petstore.py", "sync.py"])
    await cp(join(PROJECT, "examples", name), join(folder, name));
});

interface Target {
  readonly key: string;
  readonly url: string;
}

/** Runs Python in a mode that ignores the packages installed on this machine. */
function start({ key, url }: Target, args: readonly string[]) {
  return Bun.spawn(["python3", "-s", "-S", ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", PETSTORE_KEY: key, PETSTORE_URL: url },
    stdin: null,
    stdout: "pipe",
    stderr: "pipe",
  });
}

describe("petstore.py", () => {
  const server = useStore();
  const target = () => ({ key: server.key, url: server.production });

  /** Runs a Python program that can use the variable `store`. Returns its output. */
  async function run(program: string, to: Target = target()): Promise<string> {
    const imports = "from petstore import Petstore, PetstoreError, verify_webhook\nstore = Petstore()\n";
    const { code, out, err } = await outcomeOf(start(to, ["-c", imports + program]));
    expect([code, err]).toEqual([0, ""]);
    return out;
  }

  test("creates, lists and changes animals with every digit, and refuses to overwrite another's change", async () => {
    const printed = await run(`
for number in range(205):
    pet, etag = store.create_pet({"name": f"Fish {number}", "categoryId": 2**63 - 1})
print(pet["id"], pet["categoryId"], len(list(store.list_pets(categoryId=2**63 - 1))))
changed, newer = store.update_pet(pet["id"], {"status": "sold", "categoryId": 9007199254740993}, etag)
print(changed, store.read_pet(pet["id"]) == (changed, newer), store.read_pet(999))
try:
    store.update_pet(pet["id"], {"name": "Other"}, etag)
except PetstoreError as error:
    print(error.status, error.code)
try:
    store.create_pet({"name": "No category"})
except PetstoreError as error:
    print(error.message)
`);
    expect(printed).toBe(
      "205 9223372036854775807 205\n" +
        "{'id': 205, 'name': 'Fish 204', 'categoryId': 9007199254740993, 'status': 'sold'} True (None, None)\n" +
        "412 precondition_failed\ncategoryId is required.\n",
    );
  });

  test("creates an animal once if the answer was lost and retries were refused for a while", async () => {
    const sent: string[] = [];
    let count = 0;
    const flawed = await startFlawedServer(async ({ method, target: path, headers, body }) => {
      sent.push(headers["idempotency-key"] ?? "");
      const { "content-length": _, host: __, connection: ___, ...passed } = headers;
      count += 1;
      if (count === 2) return answer(503, "a proxy's page", { "Retry-After": "0" });
      if (count === 4) return answer(302, "", { Location: `${server.production}/pets` });
      const reply = await fetch(new URL(path, server.production), { method, headers: passed, body });
      return count === 1 ? "hang up" : answer(reply.status, await reply.text(), { ETag: '"1"' });
    });
    const program = `
pet, etag = store.create_pet({"name": "Once", "categoryId": 77})
print(pet["name"])
try:
    store.create_pet({"name": "Never", "categoryId": 77})
except PetstoreError as error:
    print(error.status)
`;
    expect(await run(program, { key: server.key, url: `${flawed.origin}/v1` })).toBe("Once\n302\n");
    flawed.stop();
    expect(new Set(sent.slice(0, 3)).size).toBe(1);
    expect((await server.get("/pets?categoryId=77")).json).toHaveLength(1);
  });

  test("follows events, each once and in order, from where it stopped", async () => {
    const { json: first } = await server.get("/events?limit=1");
    const after = first[0]?.id ?? 0;
    const child = start(target(), [
      "-u",
      "-c",
      `from petstore import Petstore\nfor event in Petstore().follow(${after}):\n    print(event["type"], event["data"]["name"])\n`,
    ]);
    const log = followLog(child.stdout);
    const lines = (count: number) =>
      log.until((text) => {
        const all = text.split("\n").slice(0, -1);
        return all.length >= count ? all : undefined;
      });
    const id = await server.pet({ name: "Followed" });
    expect(await lines(1)).toEqual(["pet.created Followed"]);
    await server.send(`PATCH /pets/${id}`, { body: { name: "Still followed" } });
    expect(await lines(2)).toEqual(["pet.created Followed", "pet.updated Still followed"]);
    child.kill();
    await log.ended;
  });

  test("accepts only a delivery that the store has signed recently", async () => {
    const body = '{"type":"pet.created","data":{"name":"Zoë 🐈","id":9007199254740993}}';
    const forgeries = {
      genuine: { headers: signatureHeaders([SECRET], "evt_1", Date.now(), body), body },
      altered: { headers: signatureHeaders([SECRET], "evt_1", Date.now(), body), body: `${body} ` },
      foreign: {
        headers: signatureHeaders(["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], "evt_1", Date.now(), body),
        body,
      },
      old: { headers: signatureHeaders([SECRET], "evt_1", Date.now() - 301_000, body), body },
      unsigned: { headers: {}, body },
    };
    await Bun.write(join(folder, "deliveries.json"), JSON.stringify(forgeries));
    const printed = await run(`
import json
for name, delivery in json.load(open("deliveries.json")).items():
    try:
        event = verify_webhook(delivery["headers"], delivery["body"].encode(), "${SECRET}")
        print(name, event["data"]["id"])
    except ValueError as error:
        print(name, error)
`);
    expect(printed).toBe(
      "genuine 9007199254740993\naltered the signature is wrong\nforeign the signature is wrong\n" +
        "old the delivery is old, or has no time\nunsigned the delivery is old, or has no time\n",
    );
  });
});

describe("sync.py brings 5,000 animals up to date, two nights in a row", () => {
  const COUNT = 5_000;
  const CHANGED = 300;
  const NEW = 50;
  let server: ServerProcess;
  let target: Target;
  let client: Client;
  const port = freePort();
  const serve = async (store = server.store) => {
    server = await startProcess({ store, env: { PETSTORE_PRODUCTION_PORT: String(port) } });
  };

  beforeAll(async () => {
    const store = await freshEmbeddedStore();
    await serve(store);
    target = { key: await makeKey(store), url: server.production };
    client = createClient({ key: target.key, baseUrl: target.url });
    return () => server.stop();
  });

  /**
   * Returns the lines of the file that the shop's other system writes on a given night. On the second night, some animals are new
   * and some have changed.
   */
  function linesOf(night: number): readonly string[] {
    return Array.from({ length: night === 1 ? COUNT : COUNT + NEW }, (_, index) => {
      const isSold = night === 2 && index < CHANGED;
      const status = isSold ? "sold" : index % 2 === 0 ? "available" : "";
      return `T-${index},"Animal ${index}, ""the ${index % 7}th""",9007199254740993,${status}`;
    });
  }
  const writeFile = (night: number) =>
    Bun.write(
      join(folder, "animals.csv"),
      `\uFEFFnumber,name,category,status\r\n${linesOf(night).join("\r\n")}\r\n`,
    );
  const started = () => start(target, ["sync.py", "animals.csv"]);
  const countEvents = async (type: "pet.created" | "pet.updated") =>
    (await Array.fromAsync(client.events.list({ types: [type] }))).length;
  async function countRequests(operation: string): Promise<number> {
    const text = await (await fetch(server.metrics)).text();
    const found = [...text.matchAll(/^petstore_requests_total\{(.*)\} (\d+)$/gm)];
    const own = found.filter(([, labels = ""]) => labels.includes(`operation="${operation}"`));
    return own.reduce((sum, [, , count]) => sum + Number(count), 0);
  }
  /** Returns the animals in the store as lines, in the format of the other system's file. */
  async function storedLines(): Promise<readonly string[]> {
    const pets = await Array.fromAsync(client.pets.list());
    return pets.map(
      ({ externalId, name, categoryId, status }) =>
        `${externalId},"${name.replaceAll('"', '""')}",${categoryId},${status ?? ""}`,
    );
  }
  async function expectStored(night: number): Promise<void> {
    expect((await storedLines()).toSorted()).toEqual(linesOf(night).toSorted());
  }

  test("the first night, the program is killed: the next run adds what is missing", async () => {
    await writeFile(1);
    const killed = started();
    await until(async () => (await countRequests("createPet")) > 1_000);
    killed.kill("SIGKILL");
    await killed.exited;
    const before = await countEvents("pet.created");
    expect(before).toBeLessThan(COUNT);
    const { code, out, err } = await outcomeOf(started());
    expect([code, err]).toEqual([0, ""]);
    // The service may have committed the last requests of the killed program after the test counted them.
    const [added = 0, unchanged = 0] = (out.match(/\d+(?= added| unchanged)/g) ?? []).map(Number);
    expect(out).toBe(`${added} added, 0 changed, ${unchanged} unchanged, 0 refused\n`);
    expect(added + unchanged).toBe(COUNT);
    expect(unchanged).toBeGreaterThanOrEqual(before);
    await expectStored(1);
    expect([await countEvents("pet.created"), await countEvents("pet.updated")]).toEqual([COUNT, 0]);
  });

  test("the second night, the service is killed: the program waits for it, and writes only what differs", async () => {
    await writeFile(2);
    const running = started();
    await until(async () => (await countRequests("updatePet")) > 50);
    await server.kill();
    await serve();
    const { code, out, err } = await outcomeOf(running);
    expect([code, err]).toEqual([0, ""]);
    await expectStored(2);
    expect([await countEvents("pet.created"), await countEvents("pet.updated")]).toEqual([
      COUNT + NEW,
      CHANGED,
    ]);
    expect(out).toEndWith(` added, ${CHANGED} changed, ${COUNT - CHANGED} unchanged, 0 refused\n`);
  });

  test("another run writes nothing", async () => {
    const writes = async () => [await countRequests("createPet"), await countRequests("updatePet")];
    const before = await writes();
    const { out } = await outcomeOf(started());
    expect(out).toBe(`0 added, 0 changed, ${COUNT + NEW} unchanged, 0 refused\n`);
    expect(await writes()).toEqual(before);
  });
});
