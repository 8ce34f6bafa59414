import { expect, test } from "bun:test";
import packageJson from "../../package.json" with { type: "json" };
import { PROJECT } from "./documents.ts";

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly permissions?: unknown; readonly steps: readonly Step[] }>
  >;
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

test("the GitHub workflow runs .ci/run alone, may only read, and pins its actions", async () => {
  const text = await Bun.file(`${PROJECT}.github/workflows/ci.yml`).text();
  const { permissions, jobs } = Bun.YAML.parse(text) as Workflow;
  expect(permissions).toEqual({ contents: "read" });
  expect(Object.values(jobs).flatMap((job) => job.permissions ?? [])).toEqual([]);
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  expect(steps.flatMap(({ run }) => run ?? [])).toEqual([".ci/run"]);
  for (const action of steps.flatMap(({ uses }) => uses ?? []))
    expect(action).toMatch(/^actions\/(checkout|setup-node)@v\d+$/);
  const [version] = steps.flatMap((step) => step.with?.["node-version"] ?? []);
  expect(Bun.semver.satisfies(`${version}.0.0`, packageJson.engines.node)).toBe(true);
});
