import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import packageJson from "../../package.json" with { type: "json" };
import { outcomeOf } from "../wire/process.ts";
import { PROJECT } from "./documents.ts";

interface Workflow {
  readonly on: unknown;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly needs?: string;
  readonly permissions?: unknown;
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

const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);
const runsOf = (steps: readonly Step[]) => steps.flatMap(({ run }) => run ?? []);

describe.each([["ci"], ["release"]])("the GitHub workflow %s", (name) => {
  test("may only read unless a job says otherwise, pins its actions, and ends", async () => {
    const one = await workflow(name);
    expect(one.permissions).toEqual({ contents: "read" });
    for (const job of Object.values(one.jobs)) expect(job["timeout-minutes"]).toBeGreaterThan(0);
    for (const action of stepsOf(one).flatMap(({ uses }) => uses ?? []))
      expect(action).toMatch(/^actions\/(checkout|setup-node)@v\d+$/);
    const versions = stepsOf(one).flatMap((step) => step.with?.["node-version"] ?? []);
    for (const version of versions)
      expect(Bun.semver.satisfies(`${version}.0.0`, packageJson.engines.node)).toBe(true);
  });

  test("its commands are shell, and what they call of this project is there", async () => {
    for (const run of runsOf(stepsOf(await workflow(name)))) {
      const child = Bun.spawn(["bash", "-n", "-c", run], { stdout: "pipe", stderr: "pipe" });
      expect(await outcomeOf(child)).toEqual({ code: 0, out: "", err: "" });
      for (const [, script = ""] of run.matchAll(/npm run ([\w:]+)/g))
        expect(Object.keys(packageJson.scripts)).toContain(script);
      for (const [path] of run.matchAll(/(?:bin|scripts|\.ci)\/[\w./-]+/g))
        expect([path, existsSync(PROJECT + path)]).toEqual([path, true]);
    }
  });
});

test("CI runs .ci/run alone, and may write nothing", async () => {
  const ci = await workflow("ci");
  expect(Object.values(ci.jobs).flatMap((job) => job.permissions ?? [])).toEqual([]);
  expect(runsOf(stepsOf(ci))).toEqual([".ci/run"]);
});

test("a release is of a pushed tag, and nothing is published before its tests have passed", async () => {
  const { on, jobs } = await workflow("release");
  expect(on).toEqual({ push: { tags: ["v*"] } });
  const { test: tests, ...publishing } = jobs;
  expect(runsOf(tests?.steps ?? []).at(-1)).toBe(".ci/run");
  expect(tests?.permissions).toBeUndefined();
  for (const job of Object.values(publishing)) expect(job.needs).toBe("test");
});

test("a release has everything that a build writes", async () => {
  const { jobs } = await workflow("release");
  const [publish = ""] = runsOf(jobs["archives"]?.steps ?? []).slice(-1);
  const build = await Bun.file(`${PROJECT}scripts/build.ts`).text();
  const written = [...build.matchAll(/^const (?:SUMS|LICENCES|SBOM) = "([^"]+)";$/gm)].map(
    ([, file]) => file,
  );
  expect(written).toHaveLength(3);
  for (const file of ["petstore-*", ...written]) expect(publish).toContain(`dist/${file}`);
});
