import { expect, test } from "bun:test";
import { messagesDocument, stagingDocument } from "../../src/api/openapi-documents.ts";
import { PROJECT } from "./documents.ts";

const readme = await Bun.file(`${PROJECT}README.md`).text();

test("the README's table names every operation with its path, and marks the beta ones", () => {
  for (const { id, method, path, stability, deprecation } of [
    ...stagingDocument.operations,
    ...messagesDocument.operations,
  ]) {
    const mark = stability === undefined ? "" : ` (${stability})`;
    const name =
      deprecation === undefined ? `\`${id}\`${mark}` : `\`${id}\` (deprecated, ends 5 December 2030)`;
    const row = `\n| ${name} | \`${method} ${path}`;
    expect([id, readme.includes(row)]).toEqual([id, true]);
  }
});
