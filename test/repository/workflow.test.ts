import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { TARGETS } from "../../scripts/build/targets.ts";
import { PROJECT } from "./documents.ts";

interface Workflow {
  readonly on: unknown;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly include: readonly Readonly<Record<string, string>>[] } };
  readonly "timeout-minutes"?: number;
  readonly steps: readonly Step[];
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

async function workflow(name: string): Promise<Workflow> {
  return Bun.YAML.parse(await Bun.file(`${PROJECT}.github/workflows/${name}.yml`).text()) as Workflow;
}

/**
 * Matches a GitHub action. Only GitHub's own actions may be used. scripts/release/publication.ts makes sure that a release refers
 * to actions by commit instead of by tag.
 */
const ACTION =
  /^actions\/(checkout|setup-node|(up|down)load-artifact|attest-build-provenance)@(v\d+|[0-9a-f]{40})$/;

const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);
const runsOf = (steps: readonly Step[]) => steps.flatMap(({ run }) => run ?? []);

describe.each([["ci"], ["release"]])("the GitHub workflow %s", (name) => {
  test("may only read unless a job says otherwise, uses GitHub's own actions, and has a time limit", async () => {
    const one = await workflow(name);
    expect(one.permissions).toEqual({ contents: "read" });
    for (const job of Object.values(one.jobs)) expect(job["timeout-minutes"]).toBeGreaterThan(0);
    for (const action of stepsOf(one).flatMap(({ uses }) => uses ?? [])) expect(action).toMatch(ACTION);
    const versions = stepsOf(one).flatMap((step) => step.with?.["node-version"] ?? []);
    for (const version of versions)
      expect(Bun.semver.satisfies(`${version}.0.0`, packageJson.engines.node)).toBe(true);
  });

  test("each step runs one command without shell syntax, and calls only existing files of this project", async () => {
    for (const run of runsOf(stepsOf(await workflow(name)))) {
      expect(run.replace(/\$\{\{ matrix\.target \}\}/, "linux-x64")).toMatch(/^[\w./:-]+( [\w./:-]+)*$/);
      for (const [, script = ""] of run.matchAll(/npm run ([\w:]+)/g))
        expect(Object.keys(packageJson.scripts)).toContain(script);
      for (const [path] of run.matchAll(/(?:bin|scripts|\.ci)\/[\w./-]+/g))
        expect([path, existsSync(PROJECT + path)]).toEqual([path, true]);
    }
  });
});

test("CI runs only .ci/run, and has no permission to write", async () => {
  const ci = await workflow("ci");
  expect(Object.values(ci.jobs).filter(({ permissions }) => permissions !== undefined)).toEqual([]);
  expect(runsOf(stepsOf(ci))).toEqual([".ci/run"]);
});

describe("a release", () => {
  const release = workflow("release");
  const isNpm = (run: string) => /^npm |^node bin\/bun\.js |^\.ci\/run$/.test(run);

  test("is made for a pushed tag, and each job needs the previous one: tests, build, smoke tests, publication", async () => {
    const { on, jobs } = await release;
    expect(on).toEqual({ push: { tags: ["v*"] } });
    const needs = Object.entries(jobs).map(([name, job]) => [name, job.needs]);
    expect(Object.fromEntries(needs)).toEqual({
      test: undefined,
      build: "test",
      smoke: "build",
      image: "smoke",
      publish: ["smoke", "image"],
    });
    const [, ...checks] = runsOf(jobs["test"]?.steps ?? []);
    expect(checks).toEqual(["node bin/bun.js scripts/release/check-tag.ts", ".ci/run"]);
    expect(runsOf(jobs["image"]?.steps ?? []).slice(0, 2)).toEqual([
      "docker build --tag petstore .",
      "node scripts/release/smoke.js image petstore",
    ]);
  });

  test("a job that may write has no more permissions than it needs, and runs no package of others", async () => {
    const { jobs } = await release;
    const attesting = { "id-token": "write", attestations: "write" };
    const permissions = Object.entries(jobs).map(([name, job]) => [name, job.permissions]);
    expect(Object.fromEntries(permissions)).toEqual({
      image: { contents: "read", packages: "write", ...attesting },
      publish: { contents: "write", ...attesting },
    });
    for (const { permissions, steps } of Object.values(jobs)) {
      if (permissions === undefined) continue;
      expect(runsOf(steps).filter(isNpm)).toEqual([]);
      expect(steps.filter(({ uses }) => uses?.startsWith("actions/attest-build-provenance@"))).toHaveLength(
        1,
      );
    }
  });

  test("publishes the files that it tested, with attested checksums", async () => {
    const { jobs } = await release;
    const steps = [jobs["build"], jobs["smoke"], jobs["publish"]].flatMap((job) => job?.steps ?? []);
    const moved = steps.filter(({ uses }) => uses?.includes("load-artifact@"));
    expect(moved.map((step) => step.with?.["name"])).toEqual(["dist", "dist", "dist"]);
    expect(runsOf(jobs["build"]?.steps ?? [])).toContain("npm run build -- --all --archive");
    const attest = jobs["publish"]?.steps.find((step) => step.with?.["subject-checksums"]);
    expect(attest?.with).toEqual({ "subject-checksums": "dist/SHA256SUMS" });
  });

  test("is tested on Linux on x64 and ARM, musl, macOS and Windows, each on its own machine", async () => {
    const { jobs } = await release;
    const machines = jobs["smoke"]?.strategy?.matrix.include ?? [];
    const untried = TARGETS.map(({ name }) => name).filter(
      (name) => !machines.some(({ target }) => target === name),
    );
    // GitHub's actions do not work in an Alpine container on ARM, so the executable for this platform is not tested there.
    expect(untried).toEqual(["linux-arm64-musl"]);
    for (const { target = "", runner = "", container = "" } of machines) {
      const [system = "", processor] = target.split("-");
      expect([target, runner.replace("ubuntu", "linux").startsWith(system)]).toEqual([target, true]);
      expect([target, runner.endsWith("-arm") || runner === "macos-15"]).toEqual([
        target,
        processor === "arm64",
      ]);
      expect([target, container.includes("alpine")]).toEqual([target, target.endsWith("-musl")]);
    }
  });
});

test("Dependabot updates every list of packages, the actions and the image, in one pull request each", async () => {
  const { updates } = Bun.YAML.parse(await Bun.file(`${PROJECT}.github/dependabot.yml`).text()) as {
    updates: readonly Readonly<Record<string, unknown>>[];
  };
  expect(updates.map((one) => one["package-ecosystem"])).toEqual(["npm", "github-actions", "docker"]);
  const locks = ["", "bench/", "test/extra/*/"].flatMap((path) => [
    ...new Bun.Glob(`${path}package-lock.json`).scanSync(PROJECT),
  ]);
  expect(updates[0]?.["directories"]).toEqual(locks.map((path) => join("/", dirname(path))));
  for (const { schedule } of updates) expect(schedule).toEqual({ interval: "weekly" });
});
