import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { importIdentity } from "../../src/pet-files/import-identity.ts";
import { type BrowserSession, signUp } from "./browser-session.ts";
import { useUser } from "./remote.ts";
import { onBothEngines } from "./server.ts";

onBothEngines(({ useStore }) => {
  const server = useStore();
  const user = useUser(server);
  let ada: BrowserSession;
  beforeAll(async () => {
    ada = await signUp(server, "ada@example.com");
  });

  async function importFile(name: string, text: string, ...args: string[]) {
    const file = join(user.folder, name);
    writeFileSync(file, text);
    return (await user.run(["pets", "import", file, ...args])).err;
  }
  const imports = async () => (await ada.call("GET /imports")).json;
  async function undo(identity: string) {
    const { status, json } = await ada.call("POST /imports/undo", { identity });
    expect(status).toBe(200);
    return json;
  }
  const preview = async (identity: string) => (await ada.call(`GET /imports/${identity}`)).json;
  const read = async (query: string) => (await server.get(`/pets?${query}`)).json;

  describe("undoing an import", () => {
    test("removes the animals that it added and nobody has changed since", async () => {
      const text = "name,categoryId,status\nFree,1,available\nOrdered,1,available\nEdited,1,\n";
      await importFile("Füße (1).csv", text);
      const idOf = async (name: string): Promise<number> => (await read(`categoryId=1&name=${name}`))[0].id;
      const [edited, ordered] = [await idOf("Edited"), await idOf("Ordered")];
      await server.order(ordered);
      await server.send(`PATCH /pets/${edited}`, { body: { name: "Edited by Ben" } });
      const [{ identity, file, added }] = await imports();
      expect([file, added]).toEqual(["Fu-e-1-.csv", 3]);
      expect(await preview(identity)).toEqual({ removed: 1, restored: 0, left: 2, next: null });
      expect(await read("categoryId=1&name=Free")).toHaveLength(1);
      const { left, ...counts } = await undo(identity);
      expect(counts).toEqual({ removed: 1, restored: 0, next: null });
      expect(left).toContainEqual({
        id: edited,
        name: "Edited",
        reason: "The animal was changed, ordered or removed after the import.",
      });
      expect(left).toContainEqual({
        id: ordered,
        name: "Ordered",
        reason: "The animal was changed, ordered or removed after the import.",
      });
      expect(left).toHaveLength(2);
      expect(await read("categoryId=1&name=Free")).toEqual([]);
      expect(await undo(identity)).toMatchObject({ removed: 0, restored: 0 });
      expect((await imports())[0]).toMatchObject({ identity, isUndone: true });
      expect(await importFile("Füße (1).csv", text)).toContain("Added 1 animal ");
      expect(await read("categoryId=1&name=Free")).toHaveLength(1);
    });

    test("sets changed animals back, but not one that somebody has changed since, and repeats nothing", async () => {
      const [mine, theirs] = [
        await server.add("/pets", { name: "Mine", categoryId: 2, status: "available" }),
        await server.add("/pets", { name: "Theirs", categoryId: 2, externalId: "T-1" }),
      ];
      await importFile("sold.csv", `id,status,externalId\n${mine},none,M-1\n${theirs},sold,\n`, "--update");
      await server.send(`PATCH /pets/${theirs}`, { body: { name: "Theirs II" } });
      const [{ identity, changed }] = await imports();
      expect(changed).toBe(2);
      expect(await preview(identity)).toEqual({ removed: 0, restored: 1, left: 1, next: null });
      expect(await undo(identity)).toMatchObject({ removed: 0, restored: 1, left: [{ id: theirs }] });
      expect(await preview(identity)).toEqual({ removed: 0, restored: 0, left: 1, next: null });
      expect(await read(`id=${mine}`)).toEqual([
        { id: mine, name: "Mine", categoryId: 2, status: "available" },
      ]);
      expect(await undo(identity)).toMatchObject({ removed: 0, restored: 0, left: [{ id: theirs }] });
    });

    test("of an import that continues afterwards leaves the rest, which can be undone later", async () => {
      const identity = importIdentity("running.csv", Date.now(), "aB3dE6");
      async function add(number: number) {
        const line = { method: "POST", path: "/pets", body: { name: `Running ${number}`, categoryId: 8 } };
        const headers = { "X-Request-Id": `${identity}_${number}` };
        expect((await ada.call("POST /pet-lines", { lines: [line] }, headers)).status).toBe(200);
      }
      await add(1);
      expect(await undo(identity)).toMatchObject({ removed: 1 });
      expect((await imports())[0]).toMatchObject({ identity, isUndone: true });
      await add(2);
      expect((await imports())[0]).toMatchObject({ identity, added: 2, isUndone: false });
      expect(await undo(identity)).toMatchObject({ removed: 1, left: [] });
      expect((await imports())[0]).toMatchObject({ identity, isUndone: true });
      expect(await read("categoryId=8")).toEqual([]);
    });

    test("processes a long import in parts, and requires the right to change animals", async () => {
      const lines = Array.from({ length: 250 }, (_, index) => `Many ${index},3,\n`).join("");
      await importFile("many.csv", `name,categoryId,status\n${lines}`);
      const [{ identity }] = await imports();
      expect(await preview(identity)).toEqual({ removed: 250, restored: 0, left: 0, next: null });
      let [removed, below] = [0, undefined as number | null | undefined];
      for (let part = 0; part < 3 && below !== null; part++) {
        const { json } = await ada.call("POST /imports/undo", { identity, below });
        removed += json.removed;
        below = json.next;
      }
      expect([removed, below]).toEqual([250, null]);
      expect(await read("categoryId=3")).toEqual([]);
      expect((await ada.call("POST /imports/undo", { identity: "import_%" })).status).toBe(400);
    });

    test("shows the end of a long name of a file that the command line has imported", async () => {
      await importFile("Lieferung vom Großhändler im November.csv", "name,categoryId\nLong,6\n");
      expect((await imports())[0].file).toBe("...Gro-handler-im-November.csv");
    });

    test("shows the whole name of a file that the console has imported", async () => {
      const identity = importIdentity("Tiere März – Łódź.csv", Date.now(), "aB3dE6");
      const file = "Tiere März – Łódź, with a name that no header can carry: 動物.csv";
      const line = { method: "POST", path: "/pets", body: { name: "Named", categoryId: 4 } };
      const named = async (name: string, of: string) =>
        (await ada.call("POST /imports", { identity: of, file: name })).status;
      expect(await named(file, identity)).toBe(204);
      const headers = { "X-Request-Id": `${identity}_1` };
      expect((await ada.call("POST /pet-lines", { lines: [line] }, headers)).status).toBe(200);
      expect((await imports())[0]).toMatchObject({ identity, file, added: 1 });
      expect([await named("x".repeat(1_001), identity), await named("x", "no import")]).toEqual([400, 400]);
      expect((await ada.call("GET /imports/import_x")).status).toBe(404);
      expect((await imports())[0]).toMatchObject({ file });
    });

    test("forgets the names of files whose imports began before the oldest event", async () => {
      const began = { before: 2, after: 0.5 };
      const identityOf = (when: keyof typeof began) =>
        importIdentity(`${when}.csv`, Date.now() - began[when] * 3_600_000, "aB3dE6");
      const [before, after] = [identityOf("before"), identityOf("after")];
      const nameOf = async (identity: string): Promise<string> =>
        (await imports()).find((one: { identity: string }) => one.identity === identity).file;
      for (const identity of [before, after]) {
        const line = { method: "POST", path: "/pets", body: { name: "Named", categoryId: 5 } };
        const headers = { "X-Request-Id": `${identity}_1` };
        expect((await ada.call("POST /pet-lines", { lines: [line] }, headers)).status).toBe(200);
        await ada.call("POST /imports", { identity, file: "動物.csv" });
      }
      expect([await nameOf(before), await nameOf(after)]).toEqual(["before.csv", "動物.csv"]);
    });
  });
});
