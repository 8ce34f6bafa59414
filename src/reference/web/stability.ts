import type { Child, OpenApiOperation, React } from "./swagger-ui.ts";

const CALENDAR = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** Deprecated with its end, beta or experimental; nothing for a stable operation. */
export function stabilityBadges({ createElement: h }: React, operation: OpenApiOperation): Child {
  const sunset = operation["x-deprecated-sunset"];
  const stability = operation["x-stability"];
  return [
    operation.deprecated &&
      h(
        "span",
        { className: "badge badge-deprecated", key: "deprecated" },
        "Deprecated",
        sunset !== undefined && [
          ", ends ",
          h("time", { dateTime: sunset, key: "sunset" }, CALENDAR.format(new Date(sunset))),
        ],
      ),
    stability !== undefined &&
      h("span", { className: `badge badge-${stability}`, key: "stability" }, capitalized(stability)),
  ];
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
