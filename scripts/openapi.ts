// Writes openapi/*.json from the contract; with --check, fails when one of them is out of date.

import { messagesDocument, petstoreDocument } from "../src/api/openapi-documents.ts";
import { configuredAddress, serversOf } from "../src/api/server-urls.ts";
import { loadConfig } from "../src/config.ts";
import { emitDocument } from "../src/contract/openapi/openapi.ts";
import { writeOrCheck } from "./generated-file.ts";

const config = loadConfig({}, {});
const addressOf = (service: string) => configuredAddress(config, service);
const documents = {
  "openapi/petstore.json": emitDocument(petstoreDocument, serversOf(petstoreDocument, addressOf)),
  "openapi/messages.json": emitDocument(messagesDocument, serversOf(messagesDocument, addressOf)),
};

for (const [path, text] of Object.entries(documents)) await writeOrCheck(path, text);
