// `npm run lab -- NAME [arguments]` runs one of the programs that people start only by hand, such as stress tests. `npm run lab --
// --list` prints their names.
import { runBun } from "../bin/bun.js";

interface Program {
  readonly does: string;
  readonly file: string;
  /** A folder that has its own package.json. The packages in it are installed before each run. */
  readonly packages?: string;
}

export const PROGRAMS: Readonly<Record<string, Program>> = {
  audit: { does: "known vulnerabilities of what is installed", file: "scripts/audit.ts" },
  browsers: { does: "the console in Firefox and WebKit", file: "test/extra/browsers/main.ts" },
  crash: { does: "power loss and killed processes, round after round", file: "test/extra/crash/main.ts" },
  executable: { does: "tests from outside, against the executable", file: "scripts/test-executable.ts" },
  failover: { does: "failovers of PostgreSQL, under load", file: "test/extra/failover/main.ts" },
  fuzz: { does: "every operation, and hostile bodies", file: "test/extra/fuzz/main.ts" },
  generators: {
    does: "Spectral's lint, and clients made by generators",
    file: "test/extra/generators/main.ts",
    packages: "test/extra/generators",
  },
  "measure-store": { does: "size and page times of a filled store", file: "scripts/measure-store.ts" },
  mutations: { does: "faults made on purpose, and which test fails", file: "test/extra/mutations/main.ts" },
  proxies: {
    does: "nginx, Caddy and HAProxy with our settings; these, Apache and socat with one line",
    file: "test/extra/proxies/main.ts",
  },
  release: { does: "a release: version, changelog, tag", file: "scripts/release.ts" },
  screenshots: { does: "the README's pictures", file: "scripts/screenshots.ts" },
  soak: { does: "hours of mixed load, and the memory that it needs", file: "test/extra/soak/main.ts" },
};

if (import.meta.main) {
  const [name = "--list", ...args] = process.argv.slice(2);
  const program = PROGRAMS[name];
  if (program !== undefined) start(program, args);
  else if (name === "--list") console.log(list());
  else {
    console.error(`There is no ${name}. Use one of:\n${list()}`);
    process.exitCode = 2;
  }
}

function start({ file, packages }: Program, args: readonly string[]): void {
  if (packages !== undefined) {
    const install = ["npm", "ci", "--prefix", packages, "--no-audit"];
    if (!Bun.spawnSync(install, { stdio: ["ignore", "inherit", "inherit"] }).success) process.exit(1);
  }
  runBun([file, ...args]);
}

function list(): string {
  return Object.entries(PROGRAMS)
    .map(([name, { does }]) => `${name.padEnd(15)}${does}`)
    .join("\n");
}
