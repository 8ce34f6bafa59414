import { describe, expect, test } from "bun:test";
import { messagesDocument, petstoreDocument } from "../../src/api/openapi-documents.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { ERROR_CATALOG } from "../../src/contract/error-catalog.ts";
import { ERROR_STATUS } from "../../src/errors.ts";
import { errorFrame } from "../../src/site/contract-pages.ts";
import { renderMarkdown } from "../../src/site/markdown.ts";
import { parse } from "./commands.ts";

// The advice on the page about errors must work: every command, setting and operation in it must exist.

const operations = [...petstoreDocument.operations, ...messagesDocument.operations].map(({ id }) => id);
const settings = Object.values(SETTINGS).map(({ variable }) => variable);

/** Values that replace the placeholders in the advice. */
const VALUES = { EMAIL: "ada@example.com", N: "1" } as const;

test("the catalogue has every code", () => {
  expect(Object.keys(ERROR_CATALOG).sort()).toEqual(Object.keys(ERROR_STATUS).sort());
});

test("the document of the store says what to do for each of its codes", () => {
  const { description } = petstoreDocument;
  const listed = Object.entries(ERROR_CATALOG).filter(([code]) => description.includes(`\n| \`${code}\` |`));
  expect(listed.length).toBeGreaterThan(20);
  for (const [, { whatToDo }] of listed) expect(description).toContain(` | ${whatToDo} |`);
});

test("only the page about errors says what an operator can do", () => {
  const { main } = errorFrame();
  for (const { whatToDo, operator } of Object.values(ERROR_CATALOG)) {
    expect(whatToDo).not.toMatch(/`petstore |PETSTORE_/);
    if (operator === undefined) continue;
    expect(operator).toMatch(/`petstore |PETSTORE_/);
    expect(main).toContain(`What an operator can do: ${renderMarkdown(operator)}`);
  }
});

describe("what to do", () => {
  for (const [code, { whatToDo, operator = "" }] of Object.entries(ERROR_CATALOG))
    test(`${code}: names what exists`, async () => {
      expect(whatToDo).toMatch(/^[A-Z].*\.$/);
      const named = [...`${whatToDo} ${operator}`.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
      for (const word of named.filter((one) => one.startsWith("petstore "))) {
        const words = word.split(" ").slice(1);
        const call = words.map((one) => VALUES[one as keyof typeof VALUES] ?? one);
        expect([word, await parse(call)]).toEqual([word, expect.stringMatching(/^petstore /)]);
      }
      for (const word of named.filter((one) => one.startsWith("PETSTORE_")))
        expect(settings as readonly string[]).toContain(word);
      for (const word of named.filter((one) => /^[a-z]+[A-Z]\w*$/.test(one) && one !== "categoryId"))
        expect(operations).toContain(word);
    });
});
