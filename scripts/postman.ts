// Writes openapi/postman-*.json from the OpenAPI documents; with --check, fails when one of them is out of date.
import { parseJson } from "../src/contract/json/json.ts";
import { writeOrCheck } from "./generated-file.ts";
import { collectionOf, environmentOf, type OpenApi } from "./postman-collection.ts";

const petstore = await readDocument("petstore");
const messages = await readDocument("messages");
const messagesUrl = messages.servers[0]?.url ?? "";
const written = {
  "openapi/postman-collection.json": collectionOf(petstore, messages),
  ...Object.fromEntries(
    petstore.servers.map(({ url, description }) => [
      `openapi/postman-${description.toLowerCase()}.json`,
      environmentOf(description, url, messagesUrl),
    ]),
  ),
};

for (const [path, content] of Object.entries(written))
  await writeOrCheck(path, `${JSON.stringify(content, null, 2)}\n`);

async function readDocument(name: string): Promise<OpenApi> {
  const text = await Bun.file(new URL(`../openapi/${name}.json`, import.meta.url)).text();
  // Exact: JSON.stringify throws at an integer that it would round.
  return parseJson(text) as OpenApi;
}
