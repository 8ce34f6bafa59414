import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type Fetch } from "../../client/src/client.ts";
import { checkNewPet } from "../../src/cli/pet-files/check-pets.ts";
import { serviceOf } from "../../src/cli/remote/run-import.ts";
import { comparePets, type PetRow } from "../../src/pet-files/compare-pets.ts";
import { importPets } from "../../src/pet-files/import-pets.ts";
import { useUser } from "./remote.ts";
import { onBothEngines } from "./server.ts";

type Stored = Readonly<Record<string, unknown>> & { readonly id: number };

onBothEngines(({ useStore }) => {
  const server = useStore();
  const user = useUser(server);

  function fileWith(name: string, text: string): string {
    const file = join(user.folder, name);
    writeFileSync(file, text);
    return file;
  }
  const add = (pet: object) => server.add("/pets", pet);
  async function read(...ids: number[]): Promise<readonly Stored[]> {
    const { json } = await server.get(`/pets?id=${ids.join()}`);
    return (json as Stored[]).sort((one, other) => one.id - other.id);
  }
  const run = (...args: string[]) => user.run(["pets", "import", ...args]);

  describe("an import that updates", () => {
    test("counts and shows what differs, changes only that, and a second run changes nothing", async () => {
      const [nala, rex, tom, ivy] = [
        await add({ name: "Nala", categoryId: 1, status: "available" }),
        await add({ name: "Rex", categoryId: 1, status: "available", externalId: "R-1" }),
        await add({ name: "Tom", categoryId: 2 }),
        await add({ name: "Ivy", categoryId: 2, status: "sold" }),
      ];
      const file = fileWith(
        "update.csv",
        [
          "id,name,categoryId,status,externalId",
          `${nala},Nala II,,sold,`,
          `${rex},Rex,1,none,`,
          `${tom},,,,`,
          `${ivy},Ivy,2,sold,`,
          `999999,Gone,1,,`,
          `,New,3,available,`,
          `,,3,available,`,
          `${tom + 100_000},A,1,,`,
          `${tom + 100_000},B,1,,`,
          "1.2E+15,C,1,,",
        ].join("\n"),
      );
      const shown = [
        `Compared ${file} with the store: 2 new, 2 changed, 2 unchanged, 1 not found, 2 twice in the file, 1 refused.`,
        `line 2: animal ${nala}: name Nala → Nala II, status available → sold`,
        `line 3: animal ${rex}: status available → none`,
        "line 6: has the id 999999, but no animal has this id: remove the id to add a new animal",
        `line 9: has the same id ${tom + 100_000} as line 10`,
        `line 10: has the same id ${tom + 100_000} as line 9`,
        "line 11: has the id 1.2E+15, a number that the spreadsheet has shortened: format the column as text, and enter the number again",
      ];
      const dry = await run(file, "--update", "--dry-run");
      expect(dry).toEqual({ code: 1, out: "", err: [...shown, "Nothing was changed.", ""].join("\n") });
      const before = await read(nala, rex, tom, ivy);
      const first = await run(file, "--update");
      const sums = "Added 2 animals from FILE, changed 2, and left 2 unchanged. 4 lines were refused.\n";
      expect(first).toEqual({
        code: 1,
        out: "",
        err: [...shown, sums.replace("FILE", file)].join("\n"),
      });
      expect(await read(nala, rex, tom, ivy)).toEqual([
        { id: nala, name: "Nala II", categoryId: 1, status: "sold" },
        { id: rex, name: "Rex", categoryId: 1, externalId: "R-1" },
        ...before.slice(2),
      ]);
      const events = (await server.get("/events")).body;
      const { err } = await run(file, "--update");
      expect(err).toContain(`Added 0 animals from ${file}, changed 0, and left 4 unchanged.`);
      expect((await server.get("/events")).body).toBe(events);
    });

    test("by externalId adds unknown animals, refuses numbers whose zeros a spreadsheet removed, and follows --by", async () => {
      const [zeros, other] = [
        await add({ name: "Zeros", categoryId: 5, externalId: "007001" }),
        await add({ name: "Other", categoryId: 5, externalId: "B-2" }),
      ];
      const file = fileWith(
        "till.csv",
        `Name;Category number;SKU;ID\nZeros;5;7001;\nOther 2;5;B-2;${zeros}\nNeu;5;N-1;\n`,
      );
      const { code, err } = await run(file, "--update", "--by", "externalId");
      expect(code).toBe(1);
      expect(err).toContain(`line 2: has the externalId 7001, but animal ${zeros} has 007001: a spreadsheet`);
      expect(err).toContain(`line 3: animal ${other}: name Other → Other 2`);
      expect(err).toContain("1 new, 1 changed, 1 refused.");
      const again = await run(file, "--update", "--by", "externalId");
      expect(again.err).toContain("2 unchanged, 1 refused.");
      const byId = fileWith("by-id.csv", `id,externalId\n${zeros},7001\n`);
      expect((await run(byId, "--update")).err).toContain(
        "a spreadsheet has removed the zeros at the beginning",
      );
      expect((await read(zeros))[0]).toMatchObject({ externalId: "007001" });
    });

    test("--by externalId adds no animal for a line with an id, and adds a line without numbers only once", async () => {
      const id = await add({ name: "Numberless", categoryId: 12 });
      const text = `id,name,categoryId,externalId\n${id},Numberless,12,\n${id},Numberless,12,NL-1\n,Plain,12,\n,Numbered,12,NL-2\n`;
      const file = fileWith("numberless.csv", text);
      const first = await run(file, "--update", "--by", "externalId");
      expect(first.err).toContain("2 new, 2 not found.");
      expect(first.err).toContain(`line 2: has the id ${id}, but no animal has this externalId`);
      expect(first.err).toContain("Added 2 animals");
      expect((await run(file, "--update", "--by", "externalId")).err).toContain("Added 0 animals");
      expect((await server.get("/pets?categoryId=12")).json).toHaveLength(3);
    });

    test("a file to update with whose numbers are all invalid is refused with the first reason", async () => {
      const file = fileWith("numbers.jsonl", '{"name":"Seven","categoryId":12,"externalId":7}\n');
      const { code, err } = await run(file, "--update");
      expect(code).toBe(2);
      expect(err).toContain(
        `No line of ${file} has a valid "id" or "externalId". Line 1: externalId must be`,
      );
    });

    test("spaces around an externalId are never a change, and find the animal that has them", async () => {
      const [spaced, plain] = [
        await add({ name: "Spaced", categoryId: 6, externalId: " S-1 " }),
        await add({ name: "Plain", categoryId: 6, externalId: "S-2" }),
      ];
      const text = `id,name,categoryId,externalId\n${spaced},Spaced,6, S-1 \n${plain},Plain,6,S-2  \n`;
      const file = fileWith("spaced.csv", text);
      for (const by of ["id", "externalId"]) {
        const { code, err } = await run(file, "--update", "--by", by);
        expect([code, err]).toEqual([0, expect.stringContaining("2 unchanged.")]);
      }
      const twice = fileWith("twice.csv", "externalId,name\nS-2,Plain II\n S-2,Plain III\n");
      expect((await run(twice, "--update")).err).toContain("2 twice in the file.");
      const given = fileWith("given.csv", `id,externalId\n${spaced},S-1\n${plain}, S-3\n`);
      expect((await run(given, "--update")).err).toContain("2 changed.");
      expect((await read(spaced, plain)).map(({ externalId }) => externalId)).toEqual(["S-1", "S-3"]);
      const unknown = fileWith("unknown.csv", "name,categoryId,externalId\nNew,6, S-4 \n");
      expect((await run(unknown)).err).toContain("Added 1 animal");
      expect((await server.get("/pets?externalId=S-4")).json).toHaveLength(1);
    });

    test("a category number of which a spreadsheet has kept only 15 digits changes nothing", async () => {
      const categories = ["9007199254740993", "1234567890123456789", "-9007199254740993"];
      const ids: number[] = [];
      for (const categoryId of categories)
        ids.push((await server.post("/pets", `{"name":"Far","categoryId":${categoryId}}`)).json.id);
      const spoilt = ["9007199254740990", "1234567890123450000", "-9007199254740990"];
      const lines = ids.map((id, index) => `${id},Far II,${spoilt[index]}`);
      const { code, err } = await run(
        fileWith("rounded.csv", `id,name,categoryId\n${lines.join("\n")}\n`),
        "--update",
      );
      expect([code, err]).toEqual([1, expect.stringContaining(": 3 refused.")]);
      expect(err).toContain(
        `line 2: has the category 9007199254740990, but animal ${ids[0]} has 9007199254740993: a spreadsheet has shortened this number to 15 digits. Format the column as text, and enter the number again`,
      );
      const moved = fileWith("moved.csv", `id,categoryId\n${ids[0]},9007199254740980\n`);
      expect((await run(moved, "--update")).err).toContain("1 changed.");
      const exact = fileWith("exact.jsonl", `{"id":${ids[1]},"categoryId":1234567890123450000}\n`);
      expect((await run(exact, "--update")).err).toContain("1 changed.");
    });

    test("a file whose animals exist is refused without a choice, and --copies adds every line", async () => {
      const id = await add({ name: "Copy", categoryId: 9, status: "sold", externalId: undefined });
      const file = fileWith("copies.csv", `id,name,categoryId,status\n${id},Copy,9,sold\n`);
      for (const args of [[], ["--dry-run"]]) {
        const { code, err } = await run(file, ...args);
        expect([code, err]).toEqual([
          2,
          `petstore: Some animals in ${file} are already in the store: ${id} (1 unchanged). Nothing was sent. Add --update to change these animals, or --copies to add every line as another animal. To see what would change, add --update and --dry-run.\n`,
        ]);
      }
      expect((await run(file, "--copies")).err).toContain(`Added 1 animal from ${file}.`);
      expect((await run(file, "--copies", "--update")).code).toBe(2);
      const known = fileWith("known.csv", "name,categoryId,externalId\nA,9,K-1\n");
      expect((await run(known)).err).toContain("Added 1 animal");
      expect((await run(known)).code).toBe(0);
      fileWith("known.csv", "name,categoryId,externalId\nA2,9,K-1\n");
      expect((await run(known)).err).toContain("Add --update to change these animals.");
    });

    test("an animal with another name and another category is left unchanged without --overwrite", async () => {
      const id = await add({ name: "Mine", categoryId: 11 });
      const file = fileWith("foreign.jsonl", `{"id":${id},"name":"Theirs","categoryId":12}\n`);
      const { code, err } = await run(file, "--update");
      expect(code).toBe(1);
      expect(err).toContain("1 with another name and category.");
      expect(err).toContain("--overwrite");
      expect((await read(id))[0]).toMatchObject({ name: "Mine" });
      expect((await run(file, "--update", "--overwrite")).code).toBe(0);
      expect((await read(id))[0]).toMatchObject({ name: "Theirs", categoryId: 12 });
    });

    test("an animal can take the externalId of another one, but animals cannot exchange theirs in a circle", async () => {
      const ids: number[] = [];
      for (let index = 0; index < 60; index++)
        ids.push(await add({ name: `Moved ${index}`, categoryId: 40, externalId: `M-${index}` }));
      const numbers = async () => (await read(...ids)).map(({ externalId }) => externalId);
      const moved = ids.map((id, index) => `${id},Moved ${index},M-${index + 1}`);
      const file = fileWith("moved.csv", `id,name,externalId\n${moved.join("\n")}\n`);
      const { code, err } = await run(file, "--update");
      expect([code, err]).toEqual([0, expect.stringContaining("changed 60,")]);
      expect(await numbers()).toEqual(ids.map((_, index) => `M-${index + 1}`));
      expect((await run(file, "--update")).err).toContain("changed 0, and left 60 unchanged.");

      const [one, two, three] = ids;
      const circle = fileWith(
        "circle.csv",
        `id,name,categoryId,externalId\n${one},One,,M-2\n${two},Two,,M-1\n${three},Three,,\n,New,40,M-60\n${ids[59]},,,M-61\n`,
      );
      const refused = await run(circle, "--update");
      expect([refused.code, refused.err]).toEqual([
        1,
        expect.stringContaining(
          "line 2: takes the externalId M-2 from line 3, but these lines exchange their numbers in a circle: remove the externalId of one of their animals, and import the file again",
        ),
      ]);
      expect(refused.err).toContain("1 new, 2 changed, 2 refused.");
      expect(refused.err).toContain("Added 1 animal");
      expect((await server.get("/pets?externalId=M-60")).json).toMatchObject([{ name: "New" }]);
      expect((await numbers()).slice(0, 2)).toEqual(["M-1", "M-2"]);
      await server.send(`PATCH /pets/${two}`, { body: { externalId: null } });
      const solved = await run(circle, "--update");
      expect([solved.code, solved.err]).toEqual([0, expect.stringContaining("changed 2,")]);
      expect((await numbers()).slice(0, 2)).toEqual(["M-2", "M-1"]);
    });

    /**
     * Compares rows of a file with the store, calls `between`, and then imports the rows. The API client sends its requests through
     * `send`.
     */
    async function importAround(rows: readonly PetRow[], between: () => Promise<unknown>, send?: Fetch) {
      const client = createClient({
        key: server.key,
        baseUrl: server.production,
        ...(send && { fetch: send }),
      });
      const stopping = new AbortController();
      const service = serviceOf(client, stopping.signal, "test.csv");
      const { lines } = await comparePets(
        rows.map((row, index) => ({ line: index + 2, lastLine: index + 2, row })),
        {
          ...{ by: "id", checkNew: checkNewPet, isSpreadsheet: true, overwrites: false, inFlight: 2 },
          ...{ find: service.find, stopping },
        },
      );
      await between();
      const reasons: string[] = [];
      const { counts } = await importPets({
        ...{ ...service, lines: lines.values(), keyOf: () => "", by: "id", inFlight: 2, stopping },
        onRefused: ({ reason }) => reasons.push(reason),
      });
      return { counts, reasons };
    }

    test("an animal that somebody changes after the comparison is left as it is, and listed", async () => {
      const [edited, removed, ordered] = [
        await add({ name: "Edited", categoryId: 20, status: "available" }),
        await add({ name: "Removed", categoryId: 20 }),
        await add({ name: "Ordered", categoryId: 20, status: "available" }),
      ];
      const rows = [edited, removed, ordered].map((id) => ({ id, status: "sold" as const }));
      const { counts, reasons } = await importAround(rows, async () => {
        await server.send(`PATCH /pets/${edited}`, { body: { name: "Edited by Ben" } });
        await server.send(`DELETE /pets/${removed}`);
        await server.order(ordered);
      });
      expect(counts).toMatchObject({ changed: 0, refused: 3 });
      expect(reasons.sort()).toEqual([
        `belongs to animal ${removed}, which has been removed`,
        `was not changed, because somebody else has just changed animal ${edited}: status is available. Import the file again to choose which values to keep`,
        `was not changed, because somebody else has just changed animal ${ordered}: status is pending. Import the file again to choose which values to keep`,
      ]);
      expect(await read(edited)).toEqual([
        { id: edited, name: "Edited by Ben", categoryId: 20, status: "available" },
      ]);
    });

    test("a change whose answer was lost is not reported as a conflict", async () => {
      const id = await add({ name: "Lost", categoryId: 21 });
      let patches = 0;
      const losing: Fetch = async (address, init) => {
        const response = await fetch(address, init);
        if (init?.method !== "PATCH" || patches++ > 0) return response;
        throw new TypeError("The connection was reset.");
      };
      const { counts, reasons } = await importAround([{ id, name: "Found" }], async () => {}, losing);
      expect({ patches, changed: counts.changed, reasons }).toEqual({ patches: 2, changed: 1, reasons: [] });
      expect(await read(id)).toEqual([{ id, name: "Found", categoryId: 21 }]);
    });

    test("a file without such a column that repeats animals is imported after a warning with the count", async () => {
      for (const name of ["Twin", "Twin", "Other"]) await add({ name, categoryId: 30 });
      const file = fileWith("again.csv", "name,categoryId\nTwin,30\nTwin,30\nNew,30\nOther,31\n");
      const { code, err } = await run(file);
      expect([code, err]).toEqual([
        0,
        `Warning: 2 lines have the same name and category as an animal in the store. Each of these lines adds another animal, except for lines that an earlier run of this import already added. To change the animals in the store instead, use --update, and a file with the column "id" or "externalId".\nAdded 4 animals from ${file}.\n`,
      ]);
    });
  });
});
