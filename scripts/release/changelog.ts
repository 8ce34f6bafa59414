const UNRELEASED = "## Unreleased\n";

/** What is written under "Unreleased", without the blank lines around it; empty where there is nothing of it. */
export function unreleasedChanges(changelog: string): string {
  const [, after = ""] = changelog.split(UNRELEASED);
  return (after.split(/^## /m)[0] ?? "").trim();
}

/** Whether a version has a section of its own. */
export function isInChangelog(changelog: string, version: string): boolean {
  return changelog.split("\n").some((line) => line.split(" ").slice(0, 2).join(" ") === `## ${version}`);
}

/**
 * Gives what is unreleased a section with a version and a date, and leaves "Unreleased" empty above it.
 *
 * @param date as `2026-11-21`
 */
export function releaseChanges(changelog: string, version: string, date: string): string {
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} - ${date}\n`);
}
