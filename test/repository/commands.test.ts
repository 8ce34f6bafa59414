import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import packageJson from "../../package.json" with { type: "json" };
import { PROGRAMS } from "../../scripts/lab.ts";
import { commandsOfDocuments, PROGRAMS_RUN_ELSEWHERE, PROJECT, RUN_ELSEWHERE } from "./documents.ts";

// Every command in every document must be run by commands.long.test.ts or by a test that is named in this file, or be listed as
// "by hand", which means that a person runs it.

/** For each npm script, the test that runs it. The flags of the script do not matter. */
const SCRIPTS: Readonly<Record<string, string>> = {
  start: "test/repository/launcher.test.ts",
  dev: "by hand",
  build: "test/executable/executable.long.test.ts",
  check: "test/repository/worked-example.long.test.ts",
  test: ".ci/run",
  "test:all": ".ci/run",
  format: "by hand",
  bench: "by hand",
  lab: "test/repository/lab.test.ts",
  docs: "test/repository/worked-example.long.test.ts",
  prepare: "test/client/package.long.test.ts",
  prepack: "test/client/package.long.test.ts",
};

/** For each program of `npm run lab`, the test that runs it. */
const LAB: Readonly<Record<string, string>> = {
  audit: "test/repository/dependencies.test.ts",
  browsers: "test/extra/browsers/console.long.test.ts",
  crash: "test/extra/crash/crash.long.test.ts",
  executable: "by hand",
  failover: "test/extra/failover/failover.long.test.ts",
  fuzz: "test/extra/fuzz/fuzz.test.ts",
  generators: "test/extra/generators/generators.long.test.ts",
  "measure-store": "by hand",
  mutations: "by hand",
  proxies: "by hand",
  release: "test/release/release.test.ts",
  screenshots: "by hand",
  soak: "test/extra/soak/soak.long.test.ts",
};

/** The beginnings of other commands, each with the test or script that runs it. */
const OTHERS: readonly (readonly [start: string, runBy: string])[] = [
  ["npm ci", ".ci/run"],
  ['export PATH="$PWD:$PATH"', "test/cli/from-nothing.long.test.ts"],
  ["export PETSTORE_KEY=$(petstore demo)", "test/cli/from-nothing.long.test.ts"],
  [
    "export PETSTORE_KEY=$(petstore keys create --environment production)",
    "test/repository/transcripts.long.test.ts",
  ],
  ["curl http://localhost:8080/v1/", "test/repository/transcripts.long.test.ts"],
  ["curl http://localhost:8081/v1/pets", "test/repository/transcripts.long.test.ts"],
  ["node add.mjs", "test/repository/transcripts.long.test.ts"],
  ["while read -r category; do curl --silent ", "test/guides/before-100.long.test.ts"],
  ["tac animals.jsonl | petstore pets import ", "test/guides/before-100.long.test.ts"],
  ["npx @redocly/cli respect petstore.arazzo.yaml", "test/repository/workflows.long.test.ts"],
  ["npx @apiture/openapi-down-convert --allOf ", "test/extra/generators/generators.long.test.ts"],
  ["npm pack", "test/client/package.long.test.ts"],
  ["npm install ../petstore/", "test/client/package.long.test.ts"],
];

const commands = await commandsOfDocuments();

describe("npm's scripts and the lab's programs in the documents", () => {
  const said = commands.flatMap(({ lines }) => lines);

  test("exist and are run by the files named here", () => {
    const scripts = said.flatMap((line) => /^npm (?:run )?(?!ci|pack|install)([\w:]+)/.exec(line)?.[1] ?? []);
    const programs = said.flatMap((line) => /^npm run lab -- ([\w-]+)/.exec(line)?.[1] ?? []);
    expect(Object.keys(SCRIPTS).sort()).toEqual(Object.keys(packageJson.scripts).sort());
    expect(Object.keys(LAB)).toEqual(Object.keys(PROGRAMS));
    expect(scripts.filter((script) => SCRIPTS[script] === undefined)).toEqual([]);
    expect(programs.filter((program) => LAB[program] === undefined && program !== "--list")).toEqual([]);
    const missing = [
      ...Object.values(SCRIPTS),
      ...Object.values(LAB),
      ...Object.values(PROGRAMS).map(({ file }) => file),
      ...Object.values(RUN_ELSEWHERE),
      ...Object.values(PROGRAMS_RUN_ELSEWHERE).flatMap((programs) => Object.values(programs)),
      ...OTHERS.map(([, by]) => by),
    ]
      .filter((by) => by.includes("/"))
      .filter((by) => !existsSync(PROJECT + by));
    expect(missing).toEqual([]);
  });

  test("are all in a document", () => {
    const commands = said.join("\n");
    const silent = [
      ...Object.keys(packageJson.scripts).map((script) => `npm (run )?${script}\\b`),
      ...Object.keys(PROGRAMS).map((program) => `npm run lab -- ${program}\\b`),
    ].filter((command) => !new RegExp(command).test(commands));
    expect(silent).toEqual([]);
  });
});

describe("commands of other programs", () => {
  for (const { path, lines } of commands) {
    const others = lines.filter((line) => !/^(petstore |npm (run|test|start)\b)/.test(line));
    if (others.length === 0 || path in RUN_ELSEWHERE) continue;
    test(`${path}: are run, or marked as not run, with the reason`, () => {
      const unknown = others.filter((line) => !OTHERS.some(([start]) => line.startsWith(start)));
      expect(unknown).toEqual([]);
    });
  }
});
