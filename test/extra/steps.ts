// Runs the steps of a test program that is started by hand (`npm run lab`). Prints a line for each step, and `N passed, N failed`
// at the end.

let passed = 0;
let failed = 0;

export async function step(title: string, work: () => unknown): Promise<void> {
  try {
    await work();
    passed += 1;
    console.log(`ok    ${title}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${title}: ${error instanceof Error ? error.message : error}`);
  }
}

export function printCounts(): void {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
