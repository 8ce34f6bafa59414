// Writes the table of docs/guides/settings.md; with --check, fails when it is out of date.
import { SETTINGS } from "../src/config.ts";
import { writeOrCheck } from "./generated-file.ts";

const GUIDE = "docs/guides/settings.md";

const rows = Object.values(SETTINGS).map(
  ({ variable, default: fallback, meaning }) =>
    `| \`${variable}\` | ${fallback ? `\`${fallback}\`` : ""} | ${meaning} |`,
);
const table = ["| variable | default | meaning |", "|---|---|---|", ...rows].join("\n");

const text = await Bun.file(new URL(`../${GUIDE}`, import.meta.url)).text();
const wanted = text.replace(
  /(<!-- settings -->\n)[\s\S]*(<!-- \/settings -->)/,
  (_, start, end) => `${start}${table}\n${end}`,
);

await writeOrCheck(GUIDE, wanted);
