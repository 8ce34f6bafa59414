import { describe, expect, test } from "bun:test";
import { z } from "zod";
import type { DocumentedOperation } from "../../contract/operation.ts";
import { int64ListParameter, int64Parameter } from "../../contract/parameter.ts";
import { codeSamples } from "./code-samples.ts";
import { exampleRequest } from "./operation-html.ts";

const BASE = "http://localhost:8080/v1";
const BIG = 9007199254740993n;

const operation: DocumentedOperation = {
  id: "updatePet",
  method: "PATCH",
  path: "/pets/{petId}",
  tag: "Pets",
  summary: "",
  description: "",
  pathParameters: { petId: int64Parameter({ description: "", example: BIG }) },
  body: {
    schema: z.object({}),
    mediaTypes: ["application/merge-patch+json", "application/json"],
    examples: {
      first: { name: "O'Neill \"é\\\n", categoryId: -BIG, status: null, "is-tame": true, tags: [1, {}] },
      second: {},
    },
  },
  success: { status: 200, description: "", schema: z.object({}) },
};

const samplesOf = (changes: Partial<DocumentedOperation> = {}) =>
  Object.fromEntries(
    codeSamples(exampleRequest({ ...operation, ...changes }, { base: BASE, addressOption: "baseUrl" })).map(
      ({ label, source }) => [label, source],
    ),
  );

describe("code samples", () => {
  test("have every digit of an integer, and the strings and words of each language", () => {
    const { curl, TypeScript, Python } = samplesOf();
    expect(curl).toBe(`curl -X PATCH 'http://localhost:8080/v1/pets/9007199254740993' \\
  -H "Authorization: Bearer $PETSTORE_KEY" \\
  -H 'Content-Type: application/merge-patch+json' \\
  --data-raw '{"name":"O'\\''Neill \\"é\\\\\\n","categoryId":-9007199254740993,"status":null,"is-tame":true,"tags":[1,{}]}'`);
    expect(TypeScript).toContain(
      'client.pets.update(9007199254740993n, { name: "O\'Neill \\"é\\\\\\n", categoryId: -9007199254740993n, ' +
        'status: null, "is-tame": true, tags: [1, {}] })',
    );
    expect(Python).toContain("http://localhost:8080/v1/pets/9007199254740993");
    expect(Python).toContain(
      'json.dumps({"name": "O\'Neill \\"é\\\\\\n", "categoryId": -9007199254740993, ' +
        '"status": None, "is-tame": True, "tags": [1, {}]})',
    );
  });

  test("show one filter, under its names in the interface and in the client", () => {
    const ids = int64ListParameter({ description: "", maximum: 100, example: [1, BIG] });
    const list = {
      id: "listPets",
      method: "GET",
      path: "/pets",
      query: { limit: ids, id: ids, status: ids },
      success: { status: 200, description: "", schema: z.array(z.object({})), paged: true },
    } as const;
    const { body: _, pathParameters: __, ...rest } = { ...operation, ...list };
    const [curl, typescript] = codeSamples(
      exampleRequest(rest, { base: BASE, addressOption: "messagesUrl" }),
    ).map(({ source }) => source);
    expect(curl).toBe(`curl 'http://localhost:8080/v1/pets?id=1,9007199254740993' \\
  -H "Authorization: Bearer $PETSTORE_KEY"`);
    expect(typescript).toContain('  messagesUrl: "http://localhost:8080/v1",\n');
    expect(typescript).toContain(
      "for await (const item of client.pets.list({ ids: [1, 9007199254740993n] }))",
    );
  });

  test("of an operation whose response has no body print the status", () => {
    const { TypeScript, Python } = samplesOf({ success: { status: 204, description: "" } });
    expect(TypeScript).toContain("\nawait client.pets.update(");
    expect(Python).toEndWith("print(response.status)");
  });

  test("set the given header fields, for which the client has options", () => {
    const request = exampleRequest(operation, { base: BASE, addressOption: "baseUrl" });
    const given = [
      ["Idempotency-Key", 'it"s'],
      ["If-Match", '"a"'],
      ["X-Other", "b"],
    ].map(([name = "", value]) => ({ name, in: "header" as const, value }));
    const [curl, typescript, python] = codeSamples({
      ...request,
      parameters: [...request.parameters, ...given],
    }).map(({ source }) => source);
    expect(curl).toContain(`-H 'Idempotency-Key: it"s' \\\n  -H 'If-Match: "a"' \\\n  -H 'X-Other: b'`);
    expect(typescript).toContain(', { idempotencyKey: "it\\"s", ifMatch: "\\"a\\"" }));');
    expect(python).toContain('"X-Other": "b",');
  });
});
