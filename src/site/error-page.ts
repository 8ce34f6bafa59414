import { ERROR_CATALOG } from "../contract/error-catalog.ts";
import { ERROR_STATUS, type ErrorCode } from "../errors.ts";
import type { StaticPage } from "../http/static/page.ts";
import { createFrameServer, type Frame, section } from "./frame.ts";
import type { Site } from "./site.ts";

const ENTRIES = Object.entries(ERROR_CATALOG)
  .map(([code, entry]) => ({ code, ...entry, status: ERROR_STATUS[code as ErrorCode] }))
  .sort((a, b) => a.status - b.status);

/** Every error code; the `type` of a problem links here. */
export function errorPage(site: Site): StaticPage["respond"] {
  const serve = createFrameServer(site);
  return (_addresses, context) => serve("", errorFrame, context);
}

function errorFrame(): Frame {
  const byStatus = [...Map.groupBy(ENTRIES, ({ status }) => status)];
  return {
    title: "Errors",
    contents: byStatus.map(([status, entries]) => ({
      title: String(status),
      links: entries.map(({ code }) => ({ href: `#${code}`, label: code })),
    })),
    main: ENTRIES.map(({ code, status, when, example, whatToDo }) =>
      section(code, `${code} (${status})`, [when, `For example: ${example}`, `What to do: ${whatToDo}`]),
    ).join("\n"),
  };
}
