import { openConnection } from "./connection.ts";
import { readDisplayedDocument } from "./displayed-document.ts";
import { exactRangePlugin } from "./exact-range.ts";
import { fieldsPlugin } from "./fields.ts";
import { headingsPlugin } from "./headings.ts";
import { answersPlugin } from "./responses.ts";
import type { System } from "./swagger-ui.ts";
import { tryItPlugin } from "./try-it.ts";

declare global {
  interface Window {
    /** The running page, as swagger-ui's own page offers it: for its readers' consoles. */
    ui?: System;
  }
}

const connection = openConnection();
const response = await fetch("/openapi.json");
const ui = SwaggerUIBundle({
  spec: readDisplayedDocument(await response.text()),
  domNode: document.getElementById("operations"),
  layout: "ReferenceLayout",
  plugins: [tryItPlugin(connection), headingsPlugin, answersPlugin, fieldsPlugin, exactRangePlugin],
  deepLinking: true,
  defaultModelExpandDepth: 2,
  defaultModelsExpandDepth: -1,
  persistAuthorization: false,
  queryConfigEnabled: false,
  showCommonExtensions: true,
  syntaxHighlight: { activated: false },
  validatorUrl: null,
});
ui.oas3Actions.setSelectedServer(connection.server);
connection.onServerChange((server) => ui.oas3Actions.setSelectedServer(server));
window.addEventListener("hashchange", () => {
  const isOperation = location.hash.startsWith("#/");
  if (isOperation) ui.layoutActions.parseDeepLinkHash(decodeURIComponent(location.hash));
});
window.ui = ui;
