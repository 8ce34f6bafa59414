import { expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { blocksIn, PROJECT } from "../repository/documents.ts";
import { openTerminal } from "../repository/terminal.ts";
import { everyPet } from "../wire/remote.ts";
import { send } from "../wire/send.ts";
import { makeKey, startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

// Runs the commands of the section "Before 1.0.0" in docs/guides/operate.md. They must transfer everything that the guide promises.

const [, section = ""] = (await Bun.file(`${PROJECT}docs/guides/operate.md`).text()).split(
  "### Before 1.0.0\n",
);
const [fromOld = "", toNew = ""] = blocksIn(section, "sh");

async function openShop() {
  const server = await startServer({ store: await freshEmbeddedStore() });
  const key = await makeKey(server.store);
  const { folder, environment, localized } = await openTerminal(server);
  return {
    folder,
    stop: server.stop,
    pets: () => everyPet(server, key),
    async read(path: string) {
      return (await send("GET", server.production + path, { key })).json;
    },
    async add(path: string, body: object | string) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const { status } = await send("POST", server.production + path, { key, body: text });
      expect(status).toBe(201);
    },
    async play(commands: string) {
      const shell = Bun.spawn(["bash", "-ec", localized(commands)], {
        cwd: folder,
        env: { ...environment, PETSTORE_KEY: key },
        stdio: ["ignore", "pipe", "inherit"],
      });
      await new Response(shell.stdout).text();
      expect(await shell.exited).toBe(0);
    },
  };
}

test("animals in their order, and categories with their numbers, are carried over; orders are not", async () => {
  const [old, fresh] = [await openShop(), await openShop()];
  await old.add(
    "/categories",
    '{"id":-9223372036854775808,"name":"Low \\"x\\"","description":"With\\na line\\\\ break"}',
  );
  await old.add("/categories", { name: "-n 'Cats' $HOME" });
  for (let number = 1; number <= 40; number++)
    await old.add(
      "/pets",
      `{"name":"Animal ${number}","categoryId":-9223372036854775808,"status":"available"}`,
    );
  await old.add("/store/orders", { petId: 40 });
  await old.play(fromOld);
  for (const file of ["animals.jsonl", "categories.jsonl"])
    cpSync(join(old.folder, file), join(fresh.folder, file));
  await fresh.play(toNew);

  const without = (rows: readonly object[], member: string) =>
    rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== member)));
  expect(without(await fresh.read("/categories"), "createdAt")).toEqual(
    without(await old.read("/categories"), "createdAt"),
  );
  const [before, after] = [await old.pets(), await fresh.pets()];
  expect(without(after, "id").toSorted(byName)).toEqual(without(before, "id").toSorted(byName));
  // The order of the animals may differ a little, because requests that run at the same time can overtake each other.
  const sum = (pets: readonly { name: string }[]) =>
    pets.reduce((all, { name }) => all + Number(name.slice(7)), 0);
  expect(sum(after.slice(0, 20))).toBeGreaterThan(sum(after.slice(20)));
  expect(before[0]).toMatchObject({ name: "Animal 40", status: "pending" });
  expect(await fresh.read("/store/orders")).toEqual([]);
  await Promise.all([old.stop(), fresh.stop()]);
});

function byName(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): number {
  return String(one["name"]).localeCompare(String(other["name"]));
}
