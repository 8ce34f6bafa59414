import { openConnection } from "./connection.ts";
import { readDisplayedDocument } from "./displayed-document.ts";
import { exactRangePlugin } from "./exact-range.ts";
import { fieldsPlugin } from "./fields.ts";
import { headingsPlugin } from "./headings.ts";
import { responsesPlugin } from "./responses.ts";
import type { System } from "./swagger-ui.ts";
import { tryItPlugin } from "./try-it.ts";

declare global {
  interface Window {
    /** For the browser's developer tools, as on swagger-ui's own page. */
    ui?: System;
  }
}

const connection = openConnection();
const response = await fetch("/openapi.json");
const ui = SwaggerUIBundle({
  spec: readDisplayedDocument(await response.text()),
  domNode: document.getElementById("operations"),
  layout: "ReferenceLayout",
  plugins: [tryItPlugin(connection), headingsPlugin, responsesPlugin, fieldsPlugin, exactRangePlugin],
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
