// Writes the settings table of README.md; with --check, fails when it is out of date.
import { SETTINGS } from "../src/config.ts";
import { writeOrCheck } from "./generated-file.ts";

const rows = Object.values(SETTINGS).map(
  ({ variable, default: fallback, meaning }) =>
    `| \`${variable}\` | ${fallback ? `\`${fallback}\`` : "unset"} | ${meaning} |`,
);
const table = ["| variable | default | meaning |", "|---|---|---|", ...rows].join("\n");

const file = Bun.file(new URL("../README.md", import.meta.url));
const text = await file.text();
const wanted = text.replace(
  /(<!-- settings -->\n)[\s\S]*(<!-- \/settings -->)/,
  (_, start, end) => `${start}${table}\n${end}`,
);

await writeOrCheck("README.md", wanted);
