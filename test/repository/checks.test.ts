import { describe, expect, test } from "bun:test";
import { findBaselineFaults, hashMigrations } from "../../scripts/check/baselines.ts";
import { ALLOWED, findBoundaryFaults } from "../../scripts/check/boundaries.ts";
import { ACCEPTED, findCommentFaults } from "../../scripts/check/comments.ts";
import { findSharedNumbers } from "../../scripts/check/decision-numbers.ts";
import { findLinkFaults } from "../../scripts/check/links.ts";
import { readDocuments, readSource } from "../../scripts/check/source.ts";
import { findStatementFaults } from "../../scripts/check/statements.ts";
import { findTimerFaults } from "../../scripts/check/timers.ts";

// Each check of `npm run check` must find the faults that it is meant to find. In each test, one file of the project is added,
// changed or removed.

const source = await readSource();
const documents = await readDocuments();
const PET = "src/pets/new.ts";

type Row = readonly [path: string, text: string, fault: string];

describe("boundaries", () => {
  test.each<Row>([
    [PET, 'import { createLogger } from "../telemetry/logger.ts";', "pets may import exact-json"],
    ["src/keys/new.ts", 'export type { A } from "../http/response.ts";', "keys may import"],
    ["src/orders/new.ts", 'await import("../cli/program.ts");', "orders may import"],
    ["src/site/new.ts", 'import "../server/app.ts";', "site may import"],
    [
      "client/src/new.ts",
      'import { a } from "../../src/contract/cursor.ts";',
      "client may import exact-json.",
    ],
    ["src/extras/one.ts", "", "extras: add a row"],
    ["src/pets/deep/contract.ts", 'import { a } from "../store.ts";', "imports no SQL"],
    ["src/console/web/new.tsx", 'import { a } from "../../pets/contract.ts";', "out of browsers"],
    ["src/console/new.ts", 'import type { A } from "./web/main.tsx";', "never runs it"],
    [PET, 'import { createClient } from "../../client/src/client.ts";', "pets may import exact-json"],
    [PET, "// PostgreSQL", "an engine is named in storage/ alone"],
    [PET, "process.env", "config/ alone"],
    [PET, "process.execPath", "how this program was started"],
    [PET, "embeddedFiles", "the single executable"],
    [PET, "Date.now()", "inject the clock"],
    [PET, "crypto.randomUUID()", "inject it"],
    [PET, 'import { a } from "@petstore/client";', "by relative path"],
    ["client/src/new.ts", 'import { z } from "zod";', "imports no package"],
    [PET, 'import { a } from "@modelcontextprotocol/server";', "cli/mcp alone"],
    [PET, 'export { a } from "./contract.ts";', "re-exports"],
    ["src/events/new.ts", "SELECT id FROM webhook", "names the table webhook"],
    ["src/rehearsal/new.ts", '["simulation"]', "names the table simulation"],
    [
      "src/storage/migrations/sqlite/store/9999-toys.sql",
      "CREATE TABLE toy (id INTEGER)",
      "has the table toy",
    ],
    ["src/pets/utils.ts", "", "after what it does"],
    ["src/new.ts", "", "put it into a folder"],
    ["test/new.ts", "new URL(import.meta.url)\n.pathname", "fileURLToPath"],
  ])("%s with %p", (path, text, fault) => {
    expect(findBoundaryFaults([...source, { path, text }]).join("\n")).toContain(fault);
  });

  test("refuse two rows that allow each other", () => {
    const table = { ...ALLOWED, events: [...(ALLOWED["events"] ?? []), "pets"] };
    expect(findBoundaryFaults(source, table)).toEqual([
      "events may not import pets: its row stands below, or there is none.",
    ]);
  });

  test.each([
    ["src/rehearsal/", "rehearsal: there is no such folder"],
    ["src/cli/mcp/", "src/cli/mcp/ does not have"],
  ])("without %s", (folder, fault) => {
    const rest = source.filter(({ path }) => !path.startsWith(folder));
    expect(findBoundaryFaults(rest)).toEqual([expect.stringContaining(fault)]);
  });
});

describe("statements", () => {
  test.each([
    ['statement("DELETE FROM pet WHERE id = $1", noRows)', "changing("],
    ["statement(`UPDATE store_order SET complete = 1 WHERE id = $1`, noRows)", "changing("],
    ['export const insertPet = insertion("pet", { name: "TEXT" }, decodePet);', "changing("],
    ['database.run(insertion("category", { name: "TEXT" }, decode), { name: "x" })', "changing("],
    ['const insertOrder = insertion("store_order", {}, decode); ctx.query(insertOrder, {});', "changing("],
    ['comparedPatch({ table: "pet", columns, list, decode }, appendEvent)', "patching("],
    ['const petTable = { table: "pet", columns }; patching("pet.updated", petTable);', "patching("],
    ['statement("DELETE FROM account WHERE id = $1", noRows)', "audited("],
    ["SELECT id FROM pet_photo LIMIT $1", "CAST("],
  ])("%s", (text, fault) => {
    expect(findStatementFaults([...source, { path: PET, text }])).toEqual([expect.stringContaining(fault)]);
  });

  test("in src/ are refused if they lose their event or audit entry", () => {
    const plain = source.map(({ path, text }) => ({
      path,
      text: text.replaceAll(/(changing|patching<.*>|audited)\(/g, "("),
    }));
    const faults = findStatementFaults(plain).join("\n");
    for (const wrapper of [/changing\(/g, /audited\(/g])
      expect(faults.match(wrapper)?.length).toBeGreaterThan(8);
  });

  test("that are recorded, and other tables, are accepted", () => {
    const text = `changing("pet.deleted", statement("DELETE FROM pet WHERE id = $1", noRows))
      const petInsertion = insertion("pet", {}, decode);
      export const insertPet = creating("pet.created", petInsertion);
      patching<PetPatch, Pet>("pet.updated", { table: "pet", columns, list, decode });
      statement("DELETE FROM pet_photo WHERE id = $1 LIMIT CAST($2 AS BIGINT)", noRows)
      audited("account.removed", statement("DELETE FROM account WHERE id = $1", noRows))`;
    expect(findStatementFaults([...source, { path: PET, text }])).toEqual([]);
  });
});

test("a timer is refused unless it is listed, and so is a listed timer that is gone", () => {
  const timer = { path: PET, text: "setTimeout(() => {}, 1)" };
  expect(findTimerFaults([...source, timer])).toEqual([expect.stringContaining(PET)]);
  const rest = source.filter(({ path }) => path !== "src/platform/clock.ts");
  expect(findTimerFaults(rest)).toEqual([expect.stringContaining("src/platform/clock.ts sets no timer")]);
});

test("a comment is refused if it begins with a relative clause, with few exceptions", () => {
  const words = ["What it has.", "Who waits.", "Those of a key.", "The same for all.", "One that is away."];
  const comments = words.flatMap((text) => [`/** ${text} */`, `  // ${text}`, ` * ${text}`]);
  const file = { path: PET, text: comments.join("\n") };
  expect(findCommentFaults([...source, file])).toHaveLength(comments.length);
  expect(ACCEPTED.length).toBeLessThanOrEqual(20);
});

test("a changed baseline is refused unless it has a new number that is recorded, or if it was released", () => {
  expect(findBaselineFaults(source, [])).toEqual([]);
  const isSqliteStore = ({ path }: { path: string }) => /sqlite\/store\/\d+-baseline\.sql$/.test(path);
  const number = Number(/(\d+)-/.exec(source.find(isSqliteStore)?.path ?? "")?.[1]);
  const numbered = (more: number) => `${String(number + more).padStart(4, "0")}-baseline.sql`;
  const mend = (more: number) =>
    new RegExp(`the baseline of store .* ${numbered(more)}, .*number: ${number + more}, sha256: "\\w{64}"`);
  const edited = source.map((file) => (isSqliteStore(file) ? { ...file, text: `${file.text}-- ` } : file));
  expect(findBaselineFaults(edited, []).join("\n")).toMatch(mend(1));
  const renamed = source.map(({ path, text }) => ({
    path: path.replace(/(\/store\/)\d+-baseline\.sql$/, `$1${numbered(2)}`),
    text,
  }));
  expect(findBaselineFaults(renamed, []).join("\n")).toMatch(mend(2));
  // After a release, the error message must not recommend a new number, because that would make the stores of the release unusable.
  const released = [{ version: "1.0.0", hashes: hashMigrations(source) }];
  const added = { path: "src/storage/migrations/sqlite/store/0099-notes.sql", text: "SELECT 1;" };
  expect(findBaselineFaults([...source, added], released)).toEqual([]);
  const one =
    /sqlite\/store\/\d+-baseline\.sql was released with 1\.0\.0, and has another text now\. Put that text back/;
  for (const changed of [edited, renamed, source.filter((file) => !isSqliteStore(file))])
    expect(findBaselineFaults(changed, released).join("\n")).toMatch(one);
});

describe("links", () => {
  test.each<Row>([
    ["docs/new.md", "[a](nowhere.md)", "docs/nowhere.md, which does not exist"],
    ["docs/new.md", "`src/nowhere.ts`", "src/nowhere.ts, which does not exist"],
    ["docs/new.md", "[a](../README.md#nowhere)", "#nowhere, which is no heading of README.md"],
    ["ARCHITECTURE.md", "`nowhere.ts`", "names nowhere.ts"],
    ["ARCHITECTURE.md", "```\nsrc/\n  nowhere/\n```", "lists src/nowhere/"],
    ["ARCHITECTURE.md", "", "does not list src/pets/"],
    ["SECURITY.md", "| API2 | | |", "answers the risks 2,"],
    ["SECURITY.md", "| a risk | its answer | |", "name the test that holds"],
  ])("%s with %p", (path, text, fault) => {
    const others = documents.filter((document) => document.path !== path);
    expect(findLinkFaults([...others, { path, text }], source).join("\n")).toContain(fault);
  });
});

test("two decisions with one number are found", () => {
  expect(findSharedNumbers(documents)).toEqual([]);
  const another = { path: "decisions/0001-another.md", text: "" };
  expect(findSharedNumbers([...documents, another])).toEqual(["Two decisions have the number 0001."]);
});
