import { afterAll, expect, test } from "bun:test";
import { until } from "../../until.ts";
import { startProcess } from "../../wire/process.ts";
import { send } from "../../wire/send.ts";
import { makeKey } from "../../wire/server.ts";
import { freshEmbeddedStore } from "../../wire/stores.ts";
import { createCrashDisk } from "./disk-control.ts";

const store = await freshEmbeddedStore();
const key = await makeKey(store);
const disk = createCrashDisk(store);
afterAll(disk.remove);

const add = (server: { production: string }, name: string) =>
  send("POST", `${server.production}/pets`, { key, body: JSON.stringify({ name, categoryId: 1 }) });
const namesAt = async ({ production }: { production: string }) => {
  const { body } = await send("GET", `${production}/pets?limit=100`, { key });
  return JSON.parse(body).map(({ name }: { name: string }) => name);
};

for (const end of ["stop", "kill"] as const)
  test(`after a ${end}, the service starts on a full disk and accepts changes once there is room`, async () => {
    const before = await startProcess({ store, env: disk.mount() });
    expect((await add(before, `before the ${end}`)).status).toBe(201);
    await before[end]();
    disk.set("full");
    const server = await startProcess({ store, env: disk.mount() });
    expect((await namesAt(server))[0]).toBe(`before the ${end}`);
    for (let attempt = 0; attempt < 3; attempt++) {
      const { status, body } = await add(server, "refused");
      expect(status).toBe(503);
      expect(JSON.parse(body).message).toContain("The disk of the store is full.");
    }
    // The service writes its log asynchronously, so the line may arrive after the response.
    await server.logged('"level":"error"');
    const errors = () => server.log().match(/"level":"error".*/g) ?? [];
    expect(errors()).toHaveLength(1);
    expect(errors()[0]).toContain(`"dataDir":"${store.dataDir}"`);
    expect(errors()[0]).toContain("the disk is full");
    disk.set("none");
    await until(async () => (await add(server, `after the ${end}`)).status === 201);
    expect((await namesAt(server)).slice(0, 2)).toEqual([`after the ${end}`, `before the ${end}`]);
    expect(await server.stop()).toBe(0);
    expect(errors()).toHaveLength(1);
  });
