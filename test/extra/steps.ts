// Steps of a lab program: prints a line for each, and finally `N passed, N failed`.

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

/** Also sets the exit code. */
export function printCounts(): void {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
