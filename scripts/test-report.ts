export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  /** The number of tests that were skipped or marked as todo. */
  readonly notRun: number;
  /** The test files that the report does not mention. */
  readonly missing: readonly string[];
}

/** Reads a JUnit report. `files` are the test files that it should mention. */
export function readReport(xml: string, files: readonly string[]): TestReport {
  const totals = /<testsuites\b[^>]*>/.exec(xml)?.[0] ?? "";
  const count = (name: string): number => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(totals)?.[1] ?? 0);
  const [tests, failed, notRun] = [count("tests"), count("failures"), count("skipped")];
  const reported = new Set([...xml.matchAll(/<testcase\b[^>]*\bfile="([^"]+)"/g)].map(([, file]) => file));
  return {
    passed: tests - failed - notRun,
    failed,
    notRun,
    missing: files.filter((file) => !reported.has(file)),
  };
}
