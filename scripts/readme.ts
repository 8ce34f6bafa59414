// Writes the settings table of README.md; with --check, only tells whether it is what it would write.
import { SETTINGS } from "../src/config.ts";

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

if (!process.argv.includes("--check")) await Bun.write(file, wanted);
else if (text !== wanted) {
  console.error("The settings in README.md are not those of the program. Run: npm run docs");
  process.exitCode = 1;
}
