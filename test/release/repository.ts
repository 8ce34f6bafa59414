import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSIONED_FILES, writeVersion } from "../../scripts/release/write-version.ts";
import { PROJECT } from "../repository/documents.ts";
import { outcomeOf } from "../wire/process.ts";

export const CHANGELOG = `# Changelog

## Unreleased

### Added

- Otters.

## 1.9.0 - 2026-11-01

### Added

- Cats.
`;

/** Creates a git repository with the files that a release changes, and with everything that a publication needs. */
export async function freshRepository(changelog = CHANGELOG): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "petstore-release-"));
  for (const name of ["client", "exact-json"]) mkdirSync(join(folder, name));
  for (const name of [...VERSIONED_FILES, "exact-json/package.json"])
    cpSync(join(PROJECT, name), join(folder, name));
  await writeVersion(folder, "1.9.0", "2026-11-01");
  writeFileSync(join(folder, "CHANGELOG.md"), changelog);
  writeFileSync(
    join(folder, "Dockerfile"),
    `FROM node:24.11.1@sha256:${"0a".repeat(32)} AS build\nFROM scratch\n`,
  );
  const packageJson = readFileSync(join(folder, "package.json"), "utf8");
  writeFileSync(join(folder, "package.json"), packageJson.replaceAll("/OWNER/", "/acme/"));
  await Bun.$`git init --quiet --initial-branch=main && git add --all && git commit --quiet -m first`
    .cwd(folder)
    .env({ ...process.env, ...AS_TESTER })
    .quiet();
  return folder;
}

export const AS_TESTER = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "Test"],
    [`GIT_${who}_EMAIL`, "test@example.com"],
  ]),
);

/**
 * Runs a script of the project in another folder.
 *
 * @param env variables to add to the environment
 */
export function runScript(
  cwd: string,
  name: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const command = [process.execPath, join(PROJECT, "scripts", name), ...args];
  return outcomeOf(
    Bun.spawn(command, { cwd, env: { ...process.env, ...env }, stdout: "pipe", stderr: "pipe" }),
  );
}
