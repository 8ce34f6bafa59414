import { describe, expect, test } from "bun:test";
import { messagesDocument, stagingDocument } from "../../src/api/openapi-documents.ts";
import { decimalsIn, integersIn } from "../../src/cli/mcp/tool-schemas.ts";
import { type Tool, toolsOf } from "../../src/cli/mcp/tools.ts";
import { writeJson } from "../../src/contract/json/json.ts";
import { emitDocument } from "../../src/contract/openapi/openapi.ts";
import { changesResource } from "../../src/contract/operation.ts";
import { ERROR_STATUS } from "../../src/errors.ts";

// Agents get a tool for every operation of the API. The tools come from the API's contract, not from a separate list.

const baseUrl = "http://localhost:8080/v1";
const documents = [stagingDocument, messagesDocument];
const sets = ["pets", "categories", "orders", "events", "webhooks", "messages", "key", "rehearsal"];
const tools = documents.flatMap((document) => toolsOf(document, { baseUrl, write: true, sets }));

test("every operation is a tool of one of the sets", () => {
  const operations = documents.flatMap((document) => document.operations);
  expect(tools.map(({ operation }) => operation.id)).toEqual(operations.map(({ id }) => id));
});

test("no description names a header field, a status, a method or a standard", () => {
  const fields = new Set<string>();
  for (const document of documents)
    JSON.parse(emitDocument(document, []), (key, value: Record<string, string> | null) => {
      if (key === "headers" && value !== null) for (const name of Object.keys(value)) fields.add(name);
      if (value?.["in"] === "header") fields.add(value["name"] ?? "");
      return value;
    });
  expect([...fields]).toEqual(expect.arrayContaining(["Link", "ETag", "If-Match", "webhook-id"]));
  const http = ["header", "HTTP", "RFC", "GET", "POST", "PUT", "PATCH", "DELETE", "stream"];
  const words = [...fields, ...http, 200, 201, 202, 204, 304, ...Object.values(ERROR_STATUS)];
  const forbidden = new RegExp(`\\b(?:${words.join("|")})\\b`);
  for (const { operation, description, accepts } of tools) {
    expect([operation.id, description]).toEqual([operation.id, expect.stringMatching(/^[A-Z].*\.$/)]);
    expect([operation.id, forbidden.exec(description + JSON.stringify(accepts))]).toEqual([
      operation.id,
      null,
    ]);
  }
});

test("every tool is correctly marked as read-only, destructive or idempotent", () => {
  const saying = (hint: "readOnlyHint" | "destructiveHint" | "idempotentHint") =>
    tools.filter(({ annotations }) => annotations[hint]).map(({ operation }) => operation.id);
  const methodsOf = (ids: readonly string[]) => [
    ...new Set(
      tools.filter(({ operation }) => ids.includes(operation.id)).map(({ operation }) => operation.method),
    ),
  ];
  expect(methodsOf(saying("readOnlyHint"))).toEqual(["GET"]);
  expect(methodsOf(saying("idempotentHint")).sort()).toEqual(["DELETE", "PATCH", "PUT"]);
  expect(saying("destructiveHint")).toEqual(
    expect.arrayContaining(["updatePet", "deletePet", "cancelOrder", "completeOrder", "rotateWebhookSecret"]),
  );
  expect(saying("destructiveHint")).not.toContain("createPet");
  expect(saying("destructiveHint")).not.toContain("placeOrder");
});

describe.each(tools.map((tool): [string, Tool] => [tool.operation.id, tool]))("%s", (_, tool) => {
  test("accepts the contract's parameters and members, but no integer that a double would round", () => {
    const { operation, accepts } = tool;
    const { pathParameters, query, body } = operation;
    const names = [pathParameters, query, body?.schema.shape].flatMap((of) => Object.keys(of ?? {}));
    expect(Object.keys(accepts.properties ?? {})).toEqual([
      ...names,
      ...(changesResource(operation) ? ["ifMatch"] : []),
    ]);
    const text = JSON.stringify(accepts);
    for (const absent of ["$ref", "922337203685477", '"pattern"', '"description":""'])
      expect(text).not.toContain(absent);
    expect(text.replaceAll('"type":["string","integer"],"format":"int64"', "")).not.toContain("int64");
  });

  test("gives its examples as decimal strings and accepts them again, digit for digit", () => {
    const { success, body } = tool.operation;
    if (tool.returns !== undefined) {
      const shown = decimalsIn(success.example, [tool.returns]);
      for (const [, digits] of writeJson(shown).matchAll(/"(?:\w+I|i)d":(\d+)/g))
        expect(digits).toBeUndefined();
      expect(integersIn(shown, [tool.returns])).toEqual(success.example);
    }
    for (const example of Object.values(body?.examples ?? {}))
      expect(integersIn(decimalsIn(example, [tool.accepts]), [tool.accepts])).toEqual(example);
  });
});

describe("64-bit integers", () => {
  const int64 = { format: "int64" };
  const schema = {
    properties: { id: int64, list: { items: int64 }, either: { anyOf: [int64, { type: "null" }] } },
  };

  test("keep every digit on the way in and out", () => {
    const value = { id: -(2n ** 63n), list: [1, 9007199254740993n], either: null };
    const shown = { id: "-9223372036854775808", list: ["1", "9007199254740993"], either: null };
    expect(decimalsIn(value, [schema])).toEqual(shown);
    expect(integersIn(shown, [schema])).toEqual(value);
  });

  test("may be JSON numbers up to 2^53 - 1, and are refused beyond it", () => {
    const given = { id: -9007199254740991, list: [1, 9007199254740991, 1.5], either: null };
    expect(integersIn(given, [schema])).toEqual(given);
    for (const beyond of [9007199254740992, -9007199254740992, 1e21, Number.POSITIVE_INFINITY])
      expect(() => integersIn({ list: [beyond] }, [schema])).toThrow(
        "list is a number above 9007199254740991, which may have been rounded. Give the number as a string of digits.",
      );
  });

  test("that are not valid stay as they are, because the service refuses them", () => {
    const given = { id: "9223372036854775808", list: ["x"], either: true };
    expect(integersIn(given, [schema])).toEqual(given);
  });
});
