import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answer, startFlawedServer } from "../client/flawed-server.ts";
import { until } from "../until.ts";
import { HEAD, lines, stored } from "./pet-lines.ts";
import { outcomeOf } from "./process.ts";
import { typeAt, userWithKey, useUser } from "./remote.ts";
import { useStore } from "./server.ts";

describe("petstore pets import", () => {
  const server = useStore();
  const user = useUser(server);

  function fileWith(name: string, text: string | Uint8Array): string {
    const file = join(user.folder, name);
    writeFileSync(file, text);
    return file;
  }

  test("adds only new lines when a changed file is imported again", async () => {
    const file = fileWith("week.csv", `${HEAD}A,10,sold\nB,10,\nA,10,sold\nC,ten,\n`);
    const first = await user.run(["pets", "import", file]);
    expect(first).toEqual({
      code: 1,
      out: "",
      err: `line 5: names the category "ten", which does not exist: add the category first, or give the identifier of a category\nAdded 3 animals from ${file}. 1 line was refused.\n`,
    });
    fileWith("week.csv", `status,name,categoryId\n,C,10\nsold,A,10\n,New,10\n,B,10\nsold,A,10\n`);
    expect((await user.run(["pets", "import", file])).err).toEndWith(
      `Added 2 animals from ${file}. 3 lines were already imported by an earlier run.\n`,
    );
    expect(await stored(server, user, 10)).toEqual(["A,10,sold", "A,10,sold", "B,10,", "C,10,", "New,10,"]);
  });

  test("the same lines in another format are the same animals, but not under another batch", async () => {
    const csv = fileWith("x.csv", `${HEAD}"A ""quoted"" name",11,sold\n`);
    const other = { status: "sold", categoryId: 11, name: 'A "quoted" name' };
    const json = fileWith("x.jsonl", `${JSON.stringify(other)}\n\n`);
    await user.run(["pets", "import", csv, "--batch", "spring"]);
    expect((await user.run(["pets", "import", json, "--batch", "spring"])).err).toContain("Added 0 animals");
    expect((await user.run(["pets", "import", json])).err).toContain("Added 1 animal ");
    expect(await stored(server, user, 11)).toHaveLength(2);
  });

  test("detects the format of standard input by its first character, with a byte order mark or without", async () => {
    for (const [begin, name] of [
      ["\ufeff", "Marked"],
      [" \r\n\t", "Blank"],
    ]) {
      const text = `${begin}{"name":"${name}","categoryId":22}\n`;
      const { code, err } = await user.run(["pets", "import", "-"], text);
      expect([code, err]).toEqual([0, "Added 1 animal from standard input.\n"]);
    }
    expect(await stored(server, user, 22)).toEqual(["Blank,22,", "Marked,22,"]);
  });

  test("names every line that it refuses, with the reason, and imports the rest", async () => {
    const bad = [
      `${HEAD}ok 1,13,sold`,
      `broken"quote,13,`,
      `"closed" badly,13,`,
      `"with`,
      `13,13,sold`,
      `a fault" after,13,`,
      "few,13",
      "many,13,sold,more",
      ",,sold",
      "status,13,asleep",
      "big,9223372036854775808,",
      "ok ü,13,",
    ].join("\n");
    const bytes = Buffer.concat([
      Buffer.from(`${bad}\nbad `),
      Buffer.from([0xff]),
      Buffer.from(',13,\n"open,13,\nswallowed,13,\n'),
    ]);
    const refusedFile = join(user.folder, "refused.jsonl");
    const args = ["pets", "import", fileWith("bad.csv", bytes), "--refused", refusedFile];
    const { code, out, err } = await user.run(args);
    expect([code, out]).toEqual([1, ""]);
    const expected = [
      { line: 3, lastLine: 3, reason: "has a quote in a cell that does not begin with a quote" },
      { line: 4, lastLine: 4, reason: "has text between a closing quote and the end of the cell" },
      { line: 5, lastLine: 7, reason: "has text between a closing quote and the end of the cell" },
      { line: 8, lastLine: 8, reason: "has 2 cells, but the first line has 3" },
      { line: 9, lastLine: 9, reason: "has 4 cells, but the first line has 3" },
      { line: 10, lastLine: 10, reason: "categoryId is required." },
      { line: 11, lastLine: 11, reason: "status must be one of available, pending, sold." },
      { line: 12, lastLine: 12, reason: "categoryId must be a 64-bit integer." },
      { line: 14, lastLine: 14, reason: "is not valid UTF-8" },
      { line: 15, lastLine: 16, reason: "has an opening quote without a closing quote" },
    ];
    const written = readFileSync(refusedFile, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(written.sort((a, b) => a.line - b.line)).toEqual(expected);
    expect(err).toContain("lines 5 to 7: has text between a closing quote and the end of the cell\n");
    expect(err).toEndWith(`Added 2 animals from ${join(user.folder, "bad.csv")}. 10 lines were refused.\n`);
    expect(await stored(server, user, 13)).toEqual(["ok 1,13,sold", "ok ü,13,"]);
  });

  test("refuses lines of JSON in the same way", async () => {
    const text = `{"name":"ok","categoryId":14}\nnonsense\n[1]\n{"name":"x","name":"y","categoryId":14}\n{"name":"x"}\n{"name":"x","categoryId":1.5}\n{"name":"\\u0000","categoryId":14}`;
    const { code, err } = await user.run(["pets", "import", "-", "--format", "jsonl"], text);
    expect(code).toBe(1);
    expect(err.trim().split("\n")).toEqual([
      "line 2: is not valid JSON",
      "line 3: is not a JSON object",
      expect.stringMatching(/^line 4: .*"?name"?.*twice/),
      "line 5: categoryId is required.",
      "line 6: categoryId must be a 64-bit integer.",
      "line 7: name must not contain U+0000 or an unpaired surrogate.",
      "Added 1 animal from standard input. 6 lines were refused.",
    ]);
  });

  test("shows twenty refused lines and counts the rest", async () => {
    const text = HEAD + "x,y,\n".repeat(50);
    const { err } = await user.run(["pets", "import", "-"], text);
    expect(err.match(/^line /gm)).toHaveLength(20);
    expect(err).toContain(
      "\n… and 30 more lines; to save all refused lines in a file, add --refused FILE.\n",
    );
  });

  test("a line whose name is too long for a store is refused, with the limit", async () => {
    const text = `${HEAD}${"🐈".repeat(256)},15,\nok,15,\n${"🐈".repeat(255)},16,\n`;
    const { code, err } = await user.run(["pets", "import", "-"], text);
    expect(code).toBe(1);
    expect(err).toStartWith("line 2: name must have at most 255 characters.\n");
    expect(await stored(server, user, 15)).toEqual(["ok,15,"]);
    expect(await stored(server, user, 16)).toEqual([`${"🐈".repeat(255)},16,`]);
  });

  test("a line that only the server can refuse is refused with the server's message", async () => {
    const refusal = { code: "invalid_body", message: "name is not to this server's taste.", status: 400 };
    const picky = await startFlawedServer(({ method, body }) => {
      if (method === "GET") return answer(200, []);
      return body.includes("odd") ? answer(400, refusal) : answer(201, { id: 1, name: "ok", categoryId: 15 });
    });
    const guest = await userWithKey(server, { PETSTORE_URL: `${picky.origin}/v1` });
    const { code, err } = await guest.run(["pets", "import", "-"], `${HEAD}odd,15,\nok,15,\n`);
    picky.stop();
    expect([code, err]).toEqual([
      1,
      `line 2: ${refusal.message}\nAdded 1 animal from standard input. 1 line was refused.\n`,
    ]);
  });

  const unreadable: [what: string, text: string, says: string][] = [
    [
      "an empty file",
      "",
      'The file is empty. The first line must name the columns "name", "categoryId" and, optionally, "status" and "externalId".',
    ],
    ["other columns", "title;price\nA;1\n", 'The first line has no column "name" and "categoryId".'],
    ["a column twice", "name,categoryId,name\n", 'The first line contains the column "name" twice.'],
    [
      "a header that is not CSV",
      'name,"categoryId\n',
      "The first line has an opening quote without a closing quote.",
    ],
  ];
  for (const [what, text, says] of unreadable) {
    test(`a file with ${what} is refused completely, in one line`, async () => {
      const { code, out, err } = await user.run(["pets", "import", fileWith("unreadable.csv", text)]);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain(says);
      expect(err.trim().split("\n")).toHaveLength(1);
    });
  }

  test("a missing file, or a folder, is reported in one line", async () => {
    expect((await user.run(["pets", "import", "nowhere.csv"])).err).toBe(
      "petstore: There is no file nowhere.csv.\n",
    );
    expect((await user.run(["pets", "import", user.folder])).err).toBe(
      `petstore: ${user.folder} is a folder, not a file.\n`,
    );
  });

  test("--refused does not overwrite what is imported", async () => {
    const file = fileWith("precious.csv", `${HEAD}A,16,\n`);
    expect((await user.run(["pets", "import", file, "--refused", file])).code).toBe(2);
    expect(readFileSync(file, "utf8")).toBe(`${HEAD}A,16,\n`);
  });

  test("--dry-run checks every line, needs no key, and sends nothing", async () => {
    const listener = await startFlawedServer(() => answer(200, []));
    const file = fileWith("dry.csv", `${HEAD}A,17,\nB,1.5,\nC,Cats,\n`);
    const stranger = await userWithKey(server, { PETSTORE_KEY: "", PETSTORE_URL: `${listener.origin}/v1` });
    expect(await stranger.run(["pets", "import", file, "--dry-run"])).toEqual({
      code: 1,
      out: "",
      err: `line 3: categoryId must be a 64-bit integer.\n2 animals in ${file} can be imported. 1 line was refused.\n1 line gives its category by name. A dry run does not check whether these categories exist, but the import does.\n`,
    });
    expect(listener.seen).toEqual([]);
    listener.stop();
  });

  test("--dry-run ends with Ctrl-C like the import itself", async () => {
    const { code, screen } = await user.onTerminal(["pets", "import", "-", "--dry-run"], {
      ...{ typed: `${HEAD}A,24,\n`, ...typeAt("checking 1 ", "\x03") },
    });
    expect(code).toBe(130);
    expect(screen).toEndWith("petstore: Interrupted.\r\n");
  });

  test("stops at once, in one line, when the key is refused or the service is unreachable", async () => {
    const file = fileWith("many.csv", HEAD + lines(1_000, 18));
    const { key } = await userWithKey(server);
    const [newest] = JSON.parse((await user.run(["keys", "list", "--json"])).out);
    await user.run(["keys", "revoke", newest.id]);
    for (const [env, says] of [
      [
        { PETSTORE_KEY: key },
        "petstore: The API key is invalid, expired or revoked. The key comes from PETSTORE_KEY. Set this variable to a valid key, or unset it. (request ",
      ],
      [
        { PETSTORE_URL: "http://127.0.0.1:9/v1" },
        "petstore: GET http://127.0.0.1:9/v1/pets?limit=1 could not be reached",
      ],
    ] as const) {
      const { code, out, err } = await (await userWithKey(server, env)).run(["pets", "import", file]);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toStartWith(says);
      expect(err.trim().split("\n")).toHaveLength(1);
    }
    expect(await stored(server, user, 18)).toEqual([]);
  });

  test("Ctrl-C ends an import that waits for standard input, and the import says with which --batch to continue", async () => {
    const child = user.begin(["pets", "import", "-"]);
    child.stdin.write(`${HEAD}Waiting,20,\n`);
    child.stdin.flush();
    await until(async () => (await stored(server, user, 20)).length === 1);
    child.kill("SIGINT");
    const { code, err } = await outcomeOf(child);
    expect(code).toBe(130);
    expect(err).toMatch(
      /^petstore: Interrupted\. 1 animal is imported\. Run the same command again with --batch input-\w{8} to continue\.\n$/,
    );
    const [batch = ""] = /input-\w+/.exec(err) ?? [];
    const again = await user.run(["pets", "import", "-", "--batch", batch], `${HEAD}Waiting,20,\n`);
    expect(again.err).toContain("Added 0 animals from standard input. 1 line was already imported");
  });

  test("standard input that stays open does not delay the end of an import that failed", async () => {
    const unknown = { ...user.env, PETSTORE_KEY: "" };
    const reader = (await user.run(["keys", "create", "--environment", "production", "--access", "read"]))
      .out;
    for (const [env, text, args, says] of [
      [unknown, `${HEAD}Nobody,21,\n`, [], "There is no key for production."],
      [
        user.env,
        "price\n5\n",
        ["--dry-run"],
        'The first line has no column "name" and "categoryId". The first line must name the columns',
      ],
      [{ ...user.env, PETSTORE_KEY: reader.trim() }, `${HEAD}Nobody,21,\n`, [], "This API key can only read"],
    ] as const) {
      const child = user.begin(["pets", "import", "-", ...args], env);
      child.stdin.write(text);
      child.stdin.flush();
      const { code, err } = await outcomeOf(child);
      expect([code, err]).toEqual([1, expect.stringContaining(says)]);
      expect(err.trim().split("\n")).toHaveLength(1);
    }
  });

  test("on a terminal there is a bar, the rate and the time left, and the last line is readable", async () => {
    const file = fileWith("watched.csv", HEAD + lines(2_000, 21));
    const { code, screen } = await user.onTerminal(["pets", "import", file]);
    expect(code).toBe(0);
    expect(screen).toMatch(/importing █*░+ [\d,]+ [\d,]+\/s \d+ s left/);
    expect(screen).toEndWith(`\r\x1b[KAdded 2,000 animals from ${file}.\r\n`);
  });
});
