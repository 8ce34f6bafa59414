// The first step of the release workflow. It fails if the tag differs from the version of the package, or if the folder contains
// something that must not be published.
import { publicationRefusals } from "./publication.ts";

const { version }: { version: string } = await Bun.file("package.json").json();
const tag = process.env["GITHUB_REF_NAME"];
const refusals = await publicationRefusals(process.cwd());
if (tag !== `v${version}`) refusals.push(`The tag ${tag} is not v${version}, the version in package.json.`);
for (const refusal of refusals) console.error(`release: ${refusal}`);
if (refusals.length > 0) process.exitCode = 1;
