// Prints a version's section of CHANGELOG.md, for its release page.
// usage: node bin/bun.js scripts/release-notes.ts 1.1.0
import { changesOf } from "./release/changelog.ts";

const [version = ""] = Bun.argv.slice(2);
const changes = changesOf(await Bun.file("CHANGELOG.md").text(), version);
if (changes === "") {
  console.error(`CHANGELOG.md says nothing of ${version || "no version"}.`);
  process.exit(1);
}
console.log(changes);
