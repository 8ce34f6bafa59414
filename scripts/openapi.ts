// Writes openapi/*.json from the contract; with --check, only tells whether they are what it would write.

import { messagesDocument, petstoreDocument } from "../src/api/openapi-documents.ts";
import { configuredAddress, serversOf } from "../src/api/server-urls.ts";
import { loadConfig } from "../src/config.ts";
import { emitDocument } from "../src/contract/openapi/openapi.ts";

const config = loadConfig({}, {});
const addressOf = (service: string) => configuredAddress(config, service);
const documents = {
  "openapi/petstore.json": emitDocument(petstoreDocument, serversOf(petstoreDocument, addressOf)),
  "openapi/messages.json": emitDocument(messagesDocument, serversOf(messagesDocument, addressOf)),
};

const isCheck = process.argv.includes("--check");
for (const [path, text] of Object.entries(documents)) {
  const file = Bun.file(new URL(`../${path}`, import.meta.url));
  if (!isCheck) await Bun.write(file, text);
  else if (!(await file.exists()) || (await file.text()) !== text) {
    console.error(`${path} is not what the contract says. Run: npm run docs`);
    process.exitCode = 1;
  }
}
