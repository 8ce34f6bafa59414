// Writes the OpenAPI documents, openapi/*.json. With --check, it writes nothing, and fails if one of the files is out of date.

import { documentRenderer, messagesDocument, petstoreDocument } from "../src/api/openapi-documents.ts";
import { configuredAddress } from "../src/api/server-urls.ts";
import { loadConfig } from "../src/config.ts";
import type { Document } from "../src/contract/openapi/openapi.ts";
import { writeOrCheck } from "./generated-file.ts";

const config = loadConfig({}, {});
const addressOf = (service: string) => configuredAddress(config, service);
const textOf = (document: Document, own: string) =>
  documentRenderer(document, own, addressOf)(addressOf(own));
const documents = {
  "openapi/petstore.json": textOf(petstoreDocument, "production"),
  "openapi/messages.json": textOf(messagesDocument, "messages"),
};

for (const [path, text] of Object.entries(documents)) await writeOrCheck(path, text);
