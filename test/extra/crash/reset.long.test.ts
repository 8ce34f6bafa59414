import { expect, setDefaultTimeout, test } from "bun:test";
import { createRandom } from "../../random.ts";
import type { ServerProcess } from "../../wire/process.ts";
import { send } from "../../wire/send.ts";
import { makeKey, onBothEngines } from "../../wire/server.ts";

// A process that is killed during a reset leaves all of it or nothing, and the next one starts.

setDefaultTimeout(300_000);
const ROUNDS = 12;

onBothEngines(({ startProcess }) => {
  test("a reset that is cut short by kill -9 was made or was not, and identifiers go on from what is there", async () => {
    const random = createRandom(18);
    let server = await startProcess();
    const { store } = server;
    const key = await makeKey(store, { environment: "staging" });
    const call = (of: ServerProcess, method: string, path: string, body?: string) =>
      send(method, of.staging + path, { key, ...(body !== undefined && { body }) });
    const add = async (of: ServerProcess) =>
      JSON.parse((await call(of, "POST", "/pets", '{"name":"Rex","categoryId":1}')).body).id as number;
    const newest = async (of: ServerProcess) =>
      (JSON.parse((await call(of, "GET", "/pets?limit=1")).body)[0]?.id ?? 0) as number;

    for (let round = 0; round < ROUNDS; round++) {
      const before = await newest(server);
      expect(await add(server)).toBe(before + 1);
      const [fixture, count] = random.chance(0.5) ? (["shop", 25] as const) : (["empty", 0] as const);
      const resetting = call(server, "POST", "/test/reset", JSON.stringify({ fixture })).catch(
        () => undefined,
      );
      await Bun.sleep(random.between(0, 20));
      await server.kill();
      const isAnswered = (await resetting)?.status === 200;
      server = await startProcess({ store });
      const found = await newest(server);
      expect([count, ...(isAnswered ? [] : [before + 1])]).toContain(found);
      const events = JSON.parse((await call(server, "GET", "/events?limit=1")).body);
      if (found === count) expect(events).toEqual([]);
    }
    expect(await server.stop()).toBe(0);
  });
});
