import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { petstore } from "./process.ts";
import { freshEmbeddedStore } from "./stores.ts";

// Tests the hidden command that shells call to complete a command line. test/cli/completion*.test.ts test the shells themselves.

const complete = (line: string) => ["__complete", "--", ...line.split(" ")];

test("a folder without a store stays empty, and an invalid command line prints nothing", async () => {
  const store = await freshEmbeddedStore();
  const offered = async (line: string) => [line, await petstore(store, complete(line))];
  for (const line of ["keys revoke ", "accounts role ", "pets list --limit x --status ", "--version "])
    expect(await offered(line)).toEqual([line, { code: 0, out: "", err: "" }]);
  const shown = { code: 0, out: "list\tlist animals, newest first\n", err: "" };
  expect(await offered("pets l")).toEqual(["pets l", shown]);
  expect(await readdir(store.dataDir)).toEqual([]);
});
