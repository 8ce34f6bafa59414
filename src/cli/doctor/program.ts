import { PROGRAM_KIND } from "../../platform/executable.ts";
import { type CheckResult, ok, warn } from "./check-result.ts";

const BUILT = {
  executable: "the single executable runs",
  package: "the npm package runs",
  checkout: "this checkout's bundle runs",
};

/** Names the form that runs, and why it is the sources: nothing else shows that a bundle is out of date. */
export async function checkProgram(): Promise<CheckResult> {
  if (PROGRAM_KIND !== "sources") return ok("program", BUILT[PROGRAM_KIND]);
  const { staleness } = await import("../../../bin/bundle.js");
  const reason = staleness();
  return reason === undefined
    ? ok("program", "the sources run; ./petstore runs the bundle, which starts faster")
    : warn("program", `the sources run, which start slower: ${reason}`, "Run: npm run prepare");
}
