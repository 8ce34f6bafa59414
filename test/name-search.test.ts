import { expect, test } from "bun:test";
import { onEachEngine } from "./test-app.ts";
import { useApp } from "./use-app.ts";
import { nextOf } from "./wire/send.ts";

interface Animal {
  readonly id: number;
}

const idsIn = (pages: readonly { readonly items: readonly Animal[] }[]) =>
  pages.flatMap(({ items }) => items.map(({ id }) => id));

onEachEngine((store) => {
  const shop = useApp(store);

  test.each(["", "+", "%E3%80%80", Array.from({ length: 101 }, (_, index) => index).join("+")])(
    "a blank text or one of more than 100 characters is refused: %s",
    async (text) => {
      const { status, json } = await shop.get(`/pets?name=${text}`);
      expect([status, json.code]).toEqual([400, "invalid_parameter"]);
    },
  );

  test("names are found by the beginnings of their words, with every other filter", async () => {
    const names = ["Mr. Fluffy", "fluffy two", "ＦＬＵＦＦＹ", "Flúffy", "Luffy", "Rex"];
    for (const [index, name] of names.entries()) await shop.pet({ name, categoryId: index % 2 });
    const idsOf = async (query: string) => idsIn(await shop.app.readPages(shop.key, `/v1/pets?${query}`));
    expect(await idsOf("name=flu")).toEqual([4, 3, 2, 1]);
    expect(await idsOf("name=TWO+fl%C3%BC&limit=1")).toEqual([2]);
    expect(await idsOf("name=flu&categoryId=1")).toEqual([4, 2]);
    expect(await idsOf("name=flu&status=sold")).toEqual([]);
    expect(await idsOf("name=flu&id=1,2,5")).toEqual([2, 1]);
    expect(await idsOf("name=uffy")).toEqual([]);
    await shop.send("PATCH /pets/6", { body: { name: "Fluff" } });
    await shop.send("PATCH /pets/4", { body: { name: "Tom" } });
    await shop.send("DELETE /pets/1");
    expect(await idsOf("name=fluf&limit=1")).toEqual([6, 3, 2]);
  });

  test("names with special letters, signs or scripts without spaces are found, even in names stored earlier", async () => {
    const names = ["Straße", "szydeł", "金魚の赤ちゃん", "Smiley 😀!", "STRASSE 2"];
    const ids = new Map<string, number>();
    for (const name of names) ids.set(name, await shop.add("/pets", { name, categoryId: 77 }));
    for (const [text, ...found] of [
      ["STRASSE", "STRASSE 2", "Straße"],
      ["straße", "STRASSE 2", "Straße"],
      ["szydel", "szydeł"],
      ["魚の赤", "金魚の赤ちゃん"],
      ["😀", "Smiley 😀!"],
      ["---"],
    ] as const) {
      const query = new URLSearchParams({ name: text, categoryId: "77", limit: "1" });
      const pages = await shop.app.readPages<Animal>(shop.key, `/v1/pets?${query}`);
      expect([text, ...idsIn(pages)]).toEqual([text, ...found.map((name) => ids.get(name) ?? 0)]);
    }
  });

  test("the next page's address repeats the name, and its cursor is refused with another name", async () => {
    const [, next = ""] = nextOf(await shop.get("/pets?name=flu&limit=1"))?.split("?") ?? [];
    expect(next).toMatch(/^name=flu&limit=1&cursor=/);
    for (const query of [next.replace("flu", "fluf"), next.replace("name=flu&", ""), `${next}&status=sold`]) {
      const { status, json } = await shop.get(`/pets?${query}`);
      expect([status, json.code]).toEqual([400, "invalid_cursor"]);
    }
    expect((await shop.get(`/pets?${next.replace("flu", "FL%C3%9C")}`)).status).toBe(200);
  });
});
