import { expect, test } from "bun:test";
import type { ActivityLine } from "../../src/console/activity-contract.ts";
import { accountId, usePerson } from "./browser-session.ts";
import { onBothEngines } from "./server.ts";

// Tests the console's list of recent activity in the store.

onBothEngines(({ useStore }) => {
  const server = useStore();
  const ada = usePerson(server, "ada@example.com");

  const read = async (query = ""): Promise<readonly ActivityLine[]> => await ada.read(`/activity${query}`);
  const words = (lines: readonly ActivityLine[]) => lines.map(({ type, count }) => `${type} ${count}`);

  test("a sale and an import each take only one line", async () => {
    const sold = await ada.pet({ name: "Rex" });
    const { id } = (await ada.call("POST /store/orders", { petId: sold })).json;
    await ada.call(`POST /store/orders/${id}/complete`);
    for (let index = 0; index < 30; index++) await ada.pet({ name: `Imported ${index}` });
    const open = await ada.pet({ name: "Bella" });
    await server.order(open);
    const lines = await read();
    expect(words(lines)).toEqual(["order.placed 1", "pet.created 31", "order.completed 1", "pet.created 1"]);
    expect(lines.map(({ petName }) => petName)).toEqual(["Bella", "", "Rex", ""]);
    expect(lines.map(({ actor }) => actor.name)).toEqual([
      "command line",
      ...Array(3).fill("ada@example.com"),
    ]);
  });

  test("pages of one line add up to the whole list, and a line of an import can list each animal", async () => {
    const whole = await read();
    const paged: ActivityLine[] = [];
    for (let path = "/activity?limit=1"; path !== ""; ) {
      const { json, headers } = await ada.call(`GET ${path}`);
      paged.push(...json);
      path = /console\/api([^>]+)>/.exec(headers.get("link") ?? "")?.[1] ?? "";
    }
    expect(paged).toEqual([...whole]);
    const imported = whole[1];
    const each = await read(`?each=${imported?.id}&limit=31`);
    expect(words(each)).toEqual(Array(31).fill("pet.created 1"));
    expect(each[0]?.id).toEqual(imported?.id as number);
  });

  test("lines can be filtered by author, animal and time, and an invalid filter is refused", async () => {
    const by = `person:${await accountId(ada, "ada@example.com")}`;
    expect(words(await read(`?by=${by}`))).toEqual(["pet.created 31", "order.completed 1", "pet.created 1"]);
    expect(words(await read("?petId=1"))).toEqual(["order.completed 1", "pet.created 1"]);
    expect(words(await read(`?petId=1&by=${by}&limit=1`))).toEqual(["order.completed 1"]);
    const now = Date.now() + 60_000;
    expect(await read(`?from=${now}`)).toEqual([]);
    expect(await read(`?before=1000`)).toEqual([]);
    expect(await read(`?from=1000&before=${now}`)).toEqual([...(await read())]);
    for (const query of ["by=ada", "from=today", "petId=x", "cursor=x", "each="])
      expect([query, (await ada.call(`GET /activity?${query}`)).status]).toEqual([query, 400]);
  });

  test("a change of many animals to one value is one line, and each renaming is a separate line", async () => {
    const before = (await read("?limit=1"))[0]?.id;
    const ids = [await ada.pet(), await ada.pet(), await ada.pet(), await ada.pet()];
    for (const id of ids) await ada.call(`PATCH /pets/${id}`, { categoryId: 7 });
    for (const id of ids) await ada.call(`PATCH /pets/${id}`, { name: `No. ${id}` });
    const lines = (await read()).filter(({ id }) => BigInt(id) > BigInt(before ?? 0));
    expect(words(lines)).toEqual([...Array(4).fill("pet.updated 1"), "pet.updated 4", "pet.created 4"]);
  });
});
