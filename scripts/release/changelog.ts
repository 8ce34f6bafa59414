const UNRELEASED = "## Unreleased\n";

/** Returns the text of the changelog's section "Unreleased", or an empty string if there is no such section. */
export function unreleasedChanges(changelog: string): string {
  const [, after = ""] = changelog.split(UNRELEASED);
  return (after.split(/^## /m)[0] ?? "").trim();
}

export function isInChangelog(changelog: string, version: string): boolean {
  return changelog.split("\n").some((line) => line.split(" ").slice(0, 2).join(" ") === `## ${version}`);
}

/**
 * Moves the text of the changelog's section "Unreleased" to a new section with a version and a date. @param date the date in the
 * form `2026-11-21`
 */
export function releaseChanges(changelog: string, version: string, date: string): string {
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} - ${date}\n`);
}

/** Returns the text of the changelog's section about a version, or an empty string if there is no such section. */
export function changesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).filter((section) => /^\S+ - /.test(section));
  const own = sections.find((section) => section.startsWith(`${version} - `)) ?? "";
  return own.split("\n").slice(1).join("\n").trim();
}
