// Writes openapi/postman-*.json from the OpenAPI documents; with --check, only tells whether they are what it would write.
import { parseJson } from "../src/contract/json/json.ts";
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

const isCheck = process.argv.includes("--check");
for (const [path, content] of Object.entries(written)) {
  const file = Bun.file(new URL(`../${path}`, import.meta.url));
  const text = `${JSON.stringify(content, null, 2)}\n`;
  if (!isCheck) await Bun.write(file, text);
  else if (!(await file.exists()) || (await file.text()) !== text) {
    console.error(`${path} is not what the OpenAPI documents say. Run: npm run docs`);
    process.exitCode = 1;
  }
}

async function readDocument(name: string): Promise<OpenApi> {
  const text = await Bun.file(new URL(`../openapi/${name}.json`, import.meta.url)).text();
  // Exact: an integer that JSON.stringify would have to round stops it.
  return parseJson(text) as OpenApi;
}
