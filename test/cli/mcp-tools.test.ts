import { describe, expect, test } from "bun:test";
import { messagesDocument, stagingDocument } from "../../src/api/openapi-documents.ts";
import { decimalSchema, decimalsIn, integersIn } from "../../src/cli/mcp/tool-schemas.ts";
import { type Tool, toolsOf } from "../../src/cli/mcp/tools.ts";
import { writeJson } from "../../src/contract/json/json.ts";
import { isChange } from "../../src/contract/operation.ts";

// Each operation of the contract is a tool, without a separate list.

const baseUrl = "http://localhost:8080/v1";
const documents = [stagingDocument, messagesDocument];
const tools = documents.flatMap((document) => toolsOf(document, { baseUrl, write: true }));

test("every operation is a tool, but for those that no page may try", () => {
  const operations = documents.flatMap((document) => document.operations);
  const hidden = operations.filter(({ hideTryItPanel }) => hideTryItPanel).map(({ id }) => id);
  expect(hidden).toEqual(["listOrders"]);
  expect(tools.map(({ operation }) => operation.id)).toEqual(
    operations.map(({ id }) => id).filter((id) => !hidden.includes(id)),
  );
});

test("a tool that reads says so; of the others, what adds is not destructive and what may be repeated is idempotent", () => {
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
  test("takes the contract's parameters and members, and no integer that a double would round", () => {
    const { operation, inputSchema, accepts } = tool;
    const { pathParameters, query, body } = operation;
    const names = [pathParameters, query, body?.schema.shape].flatMap((of) => Object.keys(of ?? {}));
    expect(Object.keys(inputSchema.properties ?? {})).toEqual([
      ...names,
      ...(isChange(operation) ? ["ifMatch"] : []),
    ]);
    const text = JSON.stringify(inputSchema);
    for (const absent of ["$ref", '"int64"', "922337203685477", '"example"'])
      expect(text).not.toContain(absent);
    expect(JSON.stringify(accepts)).not.toContain("$ref");
  });

  test("gives its examples as decimal strings and takes them back, digit for digit", () => {
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
  const int64 = { type: "integer", format: "int64", example: 1, minimum: 1 };
  const schema = {
    properties: { id: int64, list: { items: int64 }, either: { anyOf: [int64, { type: "null" }] } },
  };

  test("are strings for an agent, wherever they stand", () => {
    const decimal = { type: "string", pattern: "^-?[0-9]{1,19}$", examples: ["1"] };
    expect(decimalSchema(schema)).toEqual({
      properties: { id: decimal, list: { items: decimal }, either: { anyOf: [decimal, { type: "null" }] } },
    });
  });

  test("keep every digit on the way in and out", () => {
    const value = { id: -(2n ** 63n), list: [1, 9007199254740993n], either: null };
    const shown = { id: "-9223372036854775808", list: ["1", "9007199254740993"], either: null };
    expect(decimalsIn(value, [schema])).toEqual(shown);
    expect(integersIn(shown, [schema])).toEqual(value);
  });

  test("as numbers are refused, because what was sent may be another one", () => {
    expect(() => integersIn({ list: [9007199254740992] }, [schema])).toThrow(
      'list must be a string of decimal digits: "1", not 1.',
    );
  });

  test("that are none stay: the service refuses them", () => {
    const given = { id: "9223372036854775808", list: ["x"], either: true };
    expect(integersIn(given, [schema])).toEqual(given);
  });
});
