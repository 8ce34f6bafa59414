import { join } from "node:path";
import { isInChangelog, unreleasedChanges } from "./changelog.ts";
import { publicationRefusals } from "./publication.ts";

/** Matches a version with three numbers (Semantic Versioning 2.0.0 §2). */
const VERSION = /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/;

/** Returns the reasons, one sentence each, why this version must not be released from this folder. */
export async function releaseRefusals(folder: string, version: string): Promise<readonly string[]> {
  const changelog = await Bun.file(join(folder, "CHANGELOG.md")).text();
  const { version: current }: { version: string } = await Bun.file(join(folder, "package.json")).json();
  const git = async (...args: readonly string[]) =>
    (await Bun.$`git ${args}`.cwd(folder).nothrow().quiet().text()).trim();

  const refusals: string[] = [];
  const refuseIf = (isRefused: boolean, why: string) => void (isRefused && refusals.push(why));
  // The first release has the version that package.json already contains.
  const isFirst = version === current && !isInChangelog(changelog, version);
  if (!VERSION.test(version))
    refusals.push(`${version || "Nothing"} is no version: three numbers are, such as 1.1.0.`);
  else
    refuseIf(
      !isFirst && Bun.semver.order(version, current) <= 0,
      `${version} does not come after ${current}.`,
    );
  refuseIf(unreleasedChanges(changelog) === "", 'CHANGELOG.md says nothing under "## Unreleased".');
  const branch = await git("branch", "--show-current");
  refuseIf(branch !== "main", `This is ${branch || "no branch"}; releases are made on main.`);
  refuseIf((await git("status", "--porcelain")) !== "", "There are changes that are not committed.");
  refuseIf((await git("tag", "--list", `v${version}`)) !== "", `There is a tag v${version} already.`);
  return [...refusals, ...(await publicationRefusals(folder))];
}
