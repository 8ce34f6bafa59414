import { expect, test } from "bun:test";
import { PROJECT } from "../repository/documents.ts";

// Each label in bold in docs/guides/first-hour.md must be on one of the console's pages.

test("every button, link and field that the guide names is in the console", async () => {
  // Joins labels that are divided by the end of a line.
  const guide = (await Bun.file(`${PROJECT}docs/guides/first-hour.md`).text()).replaceAll(/\s+/g, " ");
  const named = [...guide.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = ""]) => label);
  expect(named.length).toBeGreaterThan(15);
  const files = [...new Bun.Glob("src/console/web/**/*.tsx").scanSync({ cwd: PROJECT })];
  const pages = (await Promise.all(files.map((file) => Bun.file(PROJECT + file).text()))).join("\n");
  // Matches a label that is a whole string, or JSX text that is alone on its line or between two tags.
  const isShown = (label: string) => new RegExp(`(?:["'>]|^\\s*)${label}(?:["'<]|\\s*$)`, "m").test(pages);
  expect(named.filter((label) => !isShown(label))).toEqual([]);
});
