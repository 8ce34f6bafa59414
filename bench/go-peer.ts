import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where Debian's package golang-github-mattn-go-sqlite3-dev puts its source. */
const GOPATH = "/usr/share/gocode";
const SOURCE = Bun.fileURLToPath(new URL("peers/go/", import.meta.url));

/** Why the Go peer cannot run here; undefined when it can. */
export function goAbsence(): string | undefined {
  const isInstalled = Bun.which("go") !== null && existsSync(`${GOPATH}/src/github.com/mattn/go-sqlite3`);
  return isInstalled
    ? undefined
    : "not installed (Debian: golang-go, golang-github-mattn-go-sqlite3-dev, libsqlite3-dev)";
}

/** Compiles it into this folder, once, and returns the program. */
export async function compileGoPeer(folder: string): Promise<string> {
  const program = join(folder, "go-net-http");
  if (existsSync(program)) return program;
  const go = Bun.spawn(["go", "build", "-tags", "libsqlite3", "-o", program, "."], {
    cwd: SOURCE,
    env: { ...Bun.env, GO111MODULE: "off", GOPATH },
    stdout: "ignore",
    stderr: "pipe",
  });
  const [errors, code] = await Promise.all([new Response(go.stderr).text(), go.exited]);
  if (code !== 0) throw new Error(`go build failed: ${errors.slice(0, 500)}`);
  return program;
}
