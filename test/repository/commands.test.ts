import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import packageJson from "../../package.json" with { type: "json" };
import { commandsOfDocuments, PROJECT, RUN_ELSEWHERE } from "./documents.ts";

// Every command in every document is run: by commands.long.test.ts, by the test that is named here, or by hand where it says so.
// A block that no test runs is marked with the reason; test/guides/blocks.test.ts counts those of the guides.

/** What runs each of npm's scripts, with any flags. */
const SCRIPTS: Readonly<Record<string, string>> = {
  start: "test/repository/launcher.test.ts",
  dev: "by hand",
  check: "test/repository/worked-example.long.test.ts",
  test: ".ci/run",
  "test:all": ".ci/run",
  "test:crash": "test/extra/crash/crash.long.test.ts",
  "test:failover": "test/extra/failover/failover.long.test.ts",
  "test:browsers": "test/extra/browsers/console.long.test.ts",
  "test:fuzz": "test/extra/fuzz/fuzz.test.ts",
  "test:overload": "test/extra/overload/overload.long.test.ts",
  "test:mutations": "by hand",
  "test:proxies": "by hand",
  "test:executable": "by hand",
  "test:generators": "test/extra/generators/generators.long.test.ts",
  audit: "test/repository/dependencies.test.ts",
  bench: "by hand",
  docs: "test/repository/worked-example.long.test.ts",
  format: "by hand",
  release: "test/release/release.test.ts",
  screenshots: "by hand",
  sizes: "test/repository/checks.test.ts",
  build: "test/executable/executable.long.test.ts",
  "build:client": "test/client/package.long.test.ts",
  prepare: "test/client/package.long.test.ts",
};

/** Commands of other programs. */
const OTHERS: readonly (readonly [start: string, runBy: string])[] = [
  ["npm ci", ".ci/run"],
  ["npx redocly respect openapi/petstore.arazzo.yaml", "test/repository/workflows.long.test.ts"],
  ["npm pack", "test/client/package.long.test.ts"],
  ["npm install ../petstore/", "test/client/package.long.test.ts"],
  ["./petstore-VERSION-linux-x64 ", "test/executable/executable.long.test.ts"],
  ["chmod +x petstore-VERSION-linux-x64", "by hand"],
  ["sha256sum --check --ignore-missing SHA256SUMS", "by hand"],
];

const commands = await commandsOfDocuments();

describe("npm's scripts in the documents", () => {
  test("are all there, and each is run by what is named here", () => {
    const named = commands.flatMap(({ lines }) =>
      lines.flatMap((line) => /^npm (?:run )?(?!ci|pack|install)([\w:]+)/.exec(line)?.[1] ?? []),
    );
    expect(Object.keys(SCRIPTS).sort()).toEqual(Object.keys(packageJson.scripts).sort());
    expect(named.filter((script) => SCRIPTS[script] === undefined)).toEqual([]);
    const missing = [
      ...Object.values(SCRIPTS),
      ...Object.values(RUN_ELSEWHERE),
      ...OTHERS.map(([, by]) => by),
    ]
      .filter((by) => by.includes("/"))
      .filter((by) => !existsSync(PROJECT + by));
    expect(missing).toEqual([]);
  });

  test("are all in a document", () => {
    const said = commands.flatMap(({ lines }) => lines).join("\n");
    const silent = Object.keys(packageJson.scripts).filter(
      (script) => !new RegExp(`npm (run )?${script}\\b`).test(said),
    );
    expect(silent).toEqual([]);
  });
});

describe("commands of other programs", () => {
  for (const { path, lines } of commands) {
    const others = lines.filter((line) => !/^(npx petstore|npm (run|test|start))\b/.test(line));
    if (others.length === 0 || path in RUN_ELSEWHERE) continue;
    test(`${path}: are run, or marked as not run, with the reason`, () => {
      const unknown = others.filter((line) => !OTHERS.some(([start]) => line.startsWith(start)));
      expect(unknown).toEqual([]);
    });
  }
});
