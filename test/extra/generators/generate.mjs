// Generates API clients in the folder generated/: with the settings of each generator's getting-started page, and with its most
// exact settings.
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import openapiTS, { astToString } from "openapi-typescript";
import { generate } from "orval";
import { generateApi } from "swagger-typescript-api";
import ts from "typescript";

const DOCUMENT = new URL("../../../openapi/petstore.json", import.meta.url);
const GENERATED = fileURLToPath(new URL("generated/", import.meta.url));

const { BigIntKeyword, NumberKeyword } = ts.SyntaxKind;
const number = ts.factory.createKeywordTypeNode(NumberKeyword);
const integer64 = ts.factory.createUnionTypeNode([number, ts.factory.createKeywordTypeNode(BigIntKeyword)]);

const heyApi = ["@hey-api/client-fetch", "@hey-api/typescript"];
await createClient({
  input: fileURLToPath(DOCUMENT),
  output: `${GENERATED}hey-api`,
  logs: { level: "silent" },
  plugins: [...heyApi, "@hey-api/sdk"],
});
await createClient({
  input: fileURLToPath(DOCUMENT),
  output: `${GENERATED}hey-api-bigint`,
  logs: { level: "silent" },
  plugins: [
    ...heyApi,
    { name: "@hey-api/transformers", bigInt: true },
    { name: "@hey-api/sdk", transformer: true },
  ],
});
await writeFile(`${GENERATED}openapi-typescript.ts`, astToString(await openapiTS(DOCUMENT)));
const exact = await openapiTS(DOCUMENT, {
  transform: (schema) => (schema.format === "int64" ? integer64 : undefined),
});
await writeFile(`${GENERATED}openapi-typescript-exact.ts`, astToString(exact));

await generate({
  input: fileURLToPath(DOCUMENT),
  output: {
    target: `${GENERATED}orval.ts`,
    client: "fetch",
    baseUrl: {
      runtime: "address.base",
      imports: [{ name: "address", importPath: "../clients/orval-address.ts" }],
    },
  },
});
await generateApi({
  input: fileURLToPath(DOCUMENT),
  output: GENERATED,
  fileName: "swagger-typescript-api.ts",
  silent: true,
});
