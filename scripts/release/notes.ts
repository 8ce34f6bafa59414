// Writes the text of the release page to dist/notes.md: the section about this version in CHANGELOG.md.
import { changesOf } from "./changelog.ts";

const { version }: { version: string } = await Bun.file("package.json").json();
const changes = changesOf(await Bun.file("CHANGELOG.md").text(), version);
if (changes === "") {
  console.error(`CHANGELOG.md says nothing of ${version}.`);
  process.exit(1);
}
await Bun.write("dist/notes.md", `${changes}\n`);
