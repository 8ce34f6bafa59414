import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { everyPet, userWithKey, useUser } from "./remote.ts";
import { useStore } from "./server.ts";
import { SPREADSHEET_FILES, SPREADSHEET_PETS, utf16 } from "./spreadsheet-files.ts";

const server = useStore();
const user = useUser(server);
beforeAll(async () => {
  for (const name of ["Katzen", "Twins", "Twins"]) await server.post("/categories", { name });
});

function fileWith(name: string, content: string | Uint8Array): string {
  const file = join(user.folder, name);
  writeFileSync(file, content);
  return file;
}

/** Returns the animals that `work` adds, without their identifiers. */
async function addedBy(work: () => Promise<unknown>): Promise<readonly string[]> {
  const read = async (): Promise<readonly string[]> =>
    (await server.get("/pets?limit=100")).body.match(/\{[^}]*\}/g) ?? [];
  const before = await read();
  await work();
  const added = (await read()).filter((pet) => !before.includes(pet));
  return added.map((pet) => pet.replace(/"id":\d+,/, "")).sort();
}

describe("petstore pets import reads without a flag", () => {
  for (const { program, file, bytes, found } of SPREADSHEET_FILES) {
    test(program, async () => {
      const path = fileWith(file, bytes);
      const added = await addedBy(async () => {
        const { code, screen } = await user.onTerminal(["pets", "import", path]);
        expect([code, screen]).toEqual([0, expect.stringContaining(`Added 3 animals from ${path}.`)]);
        expect(screen).toStartWith(`${found}\r\n`);
      });
      expect(added).toEqual(SPREADSHEET_PETS);
      expect((await user.run(["pets", "import", path])).err).toContain("Added 0 animals");
    });
  }

  test("Excel's Unicode text: UTF-16, tabs; and on standard input", async () => {
    const text = 'Tiername\tKategorie-Nr.\tStatus\r\n"Bär 🦊"\t1,0\treserviert\r\n';
    const path = fileWith("Tiere.txt", utf16(text));
    const added = await addedBy(async () => {
      const { screen } = await user.onTerminal(["pets", "import", path]);
      expect(screen).toStartWith(
        "Found: 1 animal, separated by tabs, UTF-16, columns Tiername → name, Kategorie-Nr. → categoryId, Status → status\r\n",
      );
    });
    expect(added).toEqual(['{"name":"Bär 🦊","categoryId":1,"status":"pending"}']);
    expect(await addedBy(() => user.run(["pets", "import", "-"], text))).toEqual(added);
  });

  test("a line that names the separator, and CR at the end of lines", async () => {
    const path = fileWith("mac.csv", 'sep=|\rname|category\rA;B|7\r"two\nlines"|8\r');
    const added = await addedBy(async () => {
      expect((await user.run(["pets", "import", path])).err).toBe(`Added 2 animals from ${path}.\n`);
    });
    expect(added).toEqual(['{"name":"A;B","categoryId":7}', '{"name":"two\\nlines","categoryId":8}']);
  });

  test("a JSON array, on one line or many", async () => {
    const path = fileWith(
      "animals.json",
      '\ufeff[\n  {"name": "[\\"]", "categoryId": 9007199254740993},\n  {"name":\n "x"}, 7,\n{"name":"y","categoryId":"Katzen"}]\n',
    );
    const added = await addedBy(async () => {
      const { screen } = await user.onTerminal(["pets", "import", path]);
      expect(screen).toStartWith("Found: 4 animals, a JSON array, UTF-8\r\n");
      expect(screen).toContain("lines 3 to 4: categoryId is required.");
      expect(screen).toContain("line 4: is not a JSON object");
    });
    expect(added).toEqual(['{"name":"[\\"]","categoryId":9007199254740993}', '{"name":"y","categoryId":1}']);
    for (const [text, says] of [
      ['[{"name":"a","categoryId":1}', "The array does not end with ]."],
      ["[] []", "Line 1 has text after the array."],
    ])
      expect((await user.run(["pets", "import", "-"], text)).err).toContain(says ?? "");
  });
});

test("a number that a spreadsheet changed, or that is ambiguous, is refused with its line", async () => {
  const cells = [
    ...["9,00719925474099E+15", "1.000", "1,5", "1.0", "1.234.567", "1,234,567.00", "1'234"],
    ...["Twins", "Dogs"],
  ];
  const text = `Name;Kategorie\n${cells.map((cell) => `numbered;${cell}\n`).join("")}`;
  const { code, err } = await user.run(["pets", "import", "-"], text);
  expect(code).toBe(1);
  expect(err.trim().split("\n").sort()).toEqual([
    "Added 4 animals from standard input. 5 lines were refused.",
    'line 10: names the category "Dogs", which does not exist: add the category first, or give the identifier of a category',
    "line 2: has the category 9,00719925474099E+15, a number that the spreadsheet has shortened to 15 digits: format the column as text, and enter the number again",
    "line 3: has the category 1.000, which means 1 in some countries and 1000 in others: write the number without the separator",
    "line 4: categoryId must be a 64-bit integer.",
    'line 9: names the category "Twins", but several categories have this name: give the identifier of the category',
  ]);
  const numbers = (await everyPet(server, user.key)).filter(({ name }) => name === "numbered");
  expect(numbers.map(({ categoryId }) => Number(categoryId)).sort((a, b) => a - b)).toEqual([
    1, 1234, 1234567, 1234567,
  ]);
});

test("in a pipe, an import reports only what it left out or guessed", async () => {
  const bytes = new Uint8Array(Buffer.from("name;category;note\nBär;1;x\n", "latin1"));
  const path = fileWith("piped.csv", bytes);
  expect((await user.run(["pets", "import", path])).err).toBe(
    `The file is not UTF-8. petstore reads the file as Windows-1252.\nIgnored columns: note.\nAdded 1 animal from ${path}.\n`,
  );
});

test("for a file in an uncertain encoding, the import shows some names and sends nothing until --encoding is given", async () => {
  const bytes = readFileSync(join(import.meta.dir, "../cli/encodings/poland.csv"));
  const path = fileWith(
    "poland.csv",
    Buffer.from(bytes.toString("latin1").replace("Nazwa;Kategoria", "Name;Art"), "latin1"),
  );
  const pole = await userWithKey(server, { LC_ALL: "pl_PL.UTF-8" });
  const added = await addedBy(async () => {
    const { code, err } = await pole.run(["pets", "import", path]);
    expect(code).toBe(2);
    const [, , suggested] = err.split("\n");
    expect(suggested).toBe("petstore:   --encoding windows-1250  Łatek, żółty, Śnieżka");
    expect(err).toContain("--encoding windows-1252  £atek, ¿ó³ty, Œnie¿ka\n");
  });
  expect(added).toEqual([]);
  for (const name of ["Psy", "Koty", "Króliki"]) await server.post("/categories", { name });
  const read = await addedBy(() =>
    user.run(["pets", "import", path, "--encoding", "cp1250", "--separator", ";"]),
  );
  expect(read.map((pet) => JSON.parse(pet).name)).toEqual(["Łatek", "Śnieżka", "żółty"]);
  expect((await user.run(["pets", "import", path, "--encoding", "cp850"])).err).toContain(
    "label from the WHATWG Encoding Standard",
  );
  expect((await user.run(["pets", "import", path, "--separator", "ab"])).err).toContain("one character");
});

test("an encoding that lacks letters of the file is not suggested, whatever the language", async () => {
  // The bytes are "Źdźbło" and "Grüße" as LibreOffice saves them in Windows-1250.
  const bytes = Buffer.from("name;category\n\x8fd\x9fb\xb3o;1\nGr\xfc\xdfe;1\n", "latin1");
  const german = await userWithKey(server, { LC_ALL: "de_DE.UTF-8" });
  const { err } = await german.run(["pets", "import", fileWith("letters.csv", bytes)]);
  expect(err).toContain("The encoding may be Windows-1250.");
  expect(err).toContain("--encoding windows-1250  Źdźbło, Grüße");
  expect(err).not.toContain("indows-1252");
});
