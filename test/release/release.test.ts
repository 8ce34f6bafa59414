import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readDocuments } from "../../scripts/check/source.ts";
import { findUnpinned } from "../../scripts/release/publication.ts";
import { VERSIONED_FILES, writeVersion } from "../../scripts/release/write-version.ts";
import { messagesDocument, stagingDocument } from "../../src/api/openapi-documents.ts";
import { PROJECT } from "../repository/documents.ts";
import { AS_TESTER, CHANGELOG, freshRepository, runScript } from "./repository.ts";

// A release can be made only from a complete, committed tree on the branch main. In all other cases it is refused.

const refusalOf = async (folder: string, version: string) => {
  const { code, err } = await runScript(folder, "release.ts", [version, "--dry-run"]);
  return [code, err.trim()];
};

const EMPTY = CHANGELOG.replace("### Added\n\n- Otters.\n\n", "");
const NOTHING = 'CHANGELOG.md says nothing under "## Unreleased".';

interface Refused {
  readonly why: string;
  readonly version?: string;
  readonly changelog?: string;
  /** Shell commands that the test runs after the commit. */
  readonly prepare?: string;
}

test.each<Refused>([
  ...["1.9.0", "1.8.10", "0.10.0"].map((version) => ({
    version,
    why: `${version} does not come after 1.9.0.`,
  })),
  ...["1.10", "v1.10.0", "1.010.0", "1.10.0-beta"].map((version) => ({
    version,
    why: `${version} is no version: three numbers are, such as 1.1.0.`,
  })),
  { changelog: EMPTY, why: NOTHING },
  { changelog: EMPTY.replace("## Unreleased\n\n", ""), why: NOTHING },
  { prepare: "touch new.ts", why: "There are changes that are not committed." },
  {
    prepare: "sed -i s/acme/OWNER/ package.json; git commit --quiet --all --message address",
    why: "The project has no address yet: package.json's repository is https://github.com/OWNER/petstore. Set it, then run: npm run docs",
  },
  {
    prepare: "sed -i s/@sha256.*// Dockerfile; git commit --quiet --all --message unpinned",
    why: "Pin node:24.11.1 by commit or digest, as docs/contributing/releasing.md says.",
  },
  {
    prepare: "git tag v1.10.0; git switch --quiet --create side",
    why: "This is side; releases are made on main.\nrelease: There is a tag v1.10.0 already.",
  },
])("is refused: $why", async ({ why, version = "1.10.0", changelog, prepare = "" }) => {
  const folder = await freshRepository(changelog);
  await Bun.$`sh -ec ${prepare}`.cwd(folder).env({ ...process.env, ...AS_TESTER });
  expect(await refusalOf(folder, version)).toEqual([1, `release: ${why}`]);
});

test("the workflow refuses the tag of another version, and sources that cannot be released", async () => {
  const folder = await freshRepository();
  const check = (tag: string) => runScript(folder, "release/check-tag.ts", [], { GITHUB_REF_NAME: tag });
  expect(await check("v1.9.0")).toEqual({ code: 0, out: "", err: "" });
  const other = "release: The tag v1.10.0 is not v1.9.0, the version in package.json.\n";
  expect(await check("v1.10.0")).toEqual({ code: 1, out: "", err: other });
  writeFileSync(join(folder, "Dockerfile"), "FROM node:24\n");
  expect(await check("v1.9.0")).toMatchObject({ code: 1, err: expect.stringContaining("Pin node:24 by") });
});

test("may have the version of the sources if that was never released", async () => {
  const folder = await freshRepository(CHANGELOG.replace(/## 1\.9\.0[\s\S]*/, ""));
  expect(await refusalOf(folder, "1.9.0")).toEqual([0, ""]);
});

test("--dry-run prints what would be done, and changes nothing", async () => {
  const folder = await freshRepository();
  const { code, out } = await runScript(folder, "release.ts", ["1.10.0", "--dry-run"]);
  expect(code).toBe(0);
  for (const line of [
    "keep-store.ts test/storage/released/1.10.0\n",
    "  npm test\n",
    "  npm run build -- --all --archive\n",
    '--message "Release 1.10.0"',
    "- Otters.",
  ])
    expect(out).toContain(line);
  expect(out).not.toContain("Cats");
  expect(await Bun.$`git status --porcelain && git tag`.cwd(folder).text()).toBe("");
});

test("the notes of a release are its section of the changelog", async () => {
  const folder = await freshRepository();
  expect(await runScript(folder, "release/notes.ts")).toEqual({ code: 0, out: "", err: "" });
  expect(readFileSync(join(folder, "dist/notes.md"), "utf8")).toBe("### Added\n\n- Cats.\n");
  await writeVersion(folder, "2.0.0", "2026-12-24");
  expect(await runScript(folder, "release/notes.ts")).toMatchObject({ code: 0 });
  writeFileSync(join(folder, "CHANGELOG.md"), CHANGELOG);
  expect(await runScript(folder, "release/notes.ts")).toMatchObject({
    code: 1,
    err: "CHANGELOG.md says nothing of 2.0.0.\n",
  });
});

test("finds every action and image of the workflows and of the Dockerfile that is not pinned", async () => {
  const unpinned = await findUnpinned(PROJECT);
  for (const file of ["Dockerfile", ".github/workflows/ci.yml", ".github/workflows/release.yml"]) {
    const text = readFileSync(join(PROJECT, file), "utf8");
    const named = [...text.matchAll(/(?:uses|container|image): ([\w./-]+[@:]\S+)|^FROM (\w+:\S+)/gm)];
    for (const [, inWorkflow, inDockerfile] of named)
      expect(unpinned.join(" ")).toContain(inWorkflow ?? inDockerfile ?? "none");
  }
  expect(unpinned).toContain("actions/checkout@v4");
  expect(unpinned.filter((one) => one.startsWith("node:")).length).toBeGreaterThan(1);
});

test("no document names a file with the version in its name", async () => {
  const { version } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8"));
  const naming = (await readDocuments()).filter(({ text }) => text.includes(`petstore-${version}`));
  expect(naming.map(({ path }) => path)).toEqual([]);
});

test("the release changes only the places that state the version", async () => {
  const folder = await freshRepository();
  await writeVersion(folder, "1.10.0", "2026-12-24");
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const jsonFiles = VERSIONED_FILES.filter((name) => name.endsWith(".json"));
  expect(jsonFiles).toHaveLength(3);
  expect(read("CHANGELOG.md")).toBe(
    CHANGELOG.replace("## Unreleased\n", "## Unreleased\n\n## 1.10.0 - 2026-12-24\n"),
  );
  const changed = await Bun.$`git diff --unified=0 -- ${jsonFiles}`.cwd(folder).text();
  const lines = changed.split("\n").filter((line) => /^[+-] /.test(line));
  // Each package.json contains the version once. The lockfile contains it three times: at the top, for the root, and for the
  // client.
  const places = jsonFiles.length + 2;
  expect(lines.map((line) => line.replaceAll(" ", ""))).toEqual(
    Array.from({ length: places }, () => ['-"version":"1.9.0",', '+"version":"1.10.0",']).flat(),
  );
});

test("a deprecated operation works for the months that docs/versioning.md promises", () => {
  const operations = [...stagingDocument.operations, ...messagesDocument.operations];
  const deprecated = operations.filter(({ deprecation }) => deprecation !== undefined);
  expect(deprecated.length).toBeGreaterThan(0);
  for (const { id, stability, deprecation = expect.unreachable() } of deprecated) {
    const earliest = new Date(deprecation.since);
    earliest.setUTCMonth(earliest.getUTCMonth() + (stability === "beta" ? 3 : 12));
    expect([id, deprecation.sunset >= earliest.getTime()]).toEqual([id, true]);
  }
});
