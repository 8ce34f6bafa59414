import { describe, expect, test } from "bun:test";
import { dirname, join, normalize } from "node:path";

// Who may know whom. The message of a failure is the paragraph a newcomer needs.

const SRC = Bun.fileURLToPath(new URL("../../src/", import.meta.url));

interface Module {
  readonly path: string;
  readonly text: string;
  /** Our own modules that it imports, below src/. */
  readonly imports: readonly string[];
}

const modules: readonly Module[] = await Promise.all(
  [...new Bun.Glob("**/*.{ts,tsx}").scanSync({ cwd: SRC })]
    .filter((path) => !path.endsWith(".test.ts") && !path.endsWith(".d.ts"))
    .sort()
    .map(async (path) => {
      const text = await Bun.file(join(SRC, path)).text();
      const imports = [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, to = ""]) =>
        normalize(join(dirname(path), to)),
      );
      return { path, text, imports };
    }),
);

const isIn = (path: string, ...folders: string[]) => folders.some((folder) => path.startsWith(`${folder}/`));
const FEATURES = ["pets", "categories", "orders", "messages", "accounts", "keys"];
const EDGE_FOLDERS = ["http", "console", "delivery", "reference", "cli"];
const EDGE = ["app.ts", "services.ts", "serve.ts", "main.ts", "config.ts", "endpoints.ts", "open-store.ts"];

/** `console/web/` of `console/web/keys/keys.tsx`. */
function pageFolderOf(path: string): string {
  return path.slice(0, path.indexOf("/web/") + "/web/".length);
}

function offenders(from: (module: Module) => boolean, to: (path: string) => boolean): string[] {
  return modules
    .filter(from)
    .flatMap(({ path, imports }) => imports.filter(to).map((imported) => `${path} imports ${imported}`));
}

describe("who may import whom", () => {
  test("the contract knows no feature, no server and no database", () => {
    const found = offenders(
      ({ path }) => isIn(path, "contract"),
      (to) => isIn(to, ...FEATURES, "storage", ...EDGE_FOLDERS) || EDGE.includes(to),
    );
    expect(found).toEqual([]);
  });

  test("a feature knows the contract, the storage and other features; never HTTP or the command line", () => {
    const found = offenders(
      ({ path }) => isIn(path, ...FEATURES),
      (to) => isIn(to, ...EDGE_FOLDERS) || EDGE.includes(to),
    );
    expect(found).toEqual([]);
  });

  test("the storage knows nothing of what is stored", () => {
    const found = offenders(
      ({ path }) => isIn(path, "storage"),
      (to) => isIn(to, ...FEATURES, ...EDGE_FOLDERS) || EDGE.includes(to),
    );
    expect(found).toEqual([]);
  });

  test("a feature's contract.ts knows no SQL: contracts are read by programs that have no database", () => {
    const found = offenders(
      ({ path }) => path.endsWith("/contract.ts"),
      (to) => isIn(to, "storage") || to.endsWith("/store.ts"),
    );
    expect(found).toEqual([]);
  });

  test("a page takes from elsewhere types and exact numbers only: the rest of the program stays out of browsers", () => {
    const found = modules
      .filter(({ path }) => /^[^/]+\/web\//.test(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/^import (?!type )[^;]*? from "(\.\.[^"]+)"/gm)]
          .map(([, to = ""]) => normalize(join(dirname(path), to)))
          .filter((to) => !to.startsWith(pageFolderOf(path)))
          .filter((to) => !/^(contract\/(json|int64)|client\/(read|write)-json)\.ts$/.test(to))
          .map((to) => `${path} imports ${to}`),
      );
    expect(found).toEqual([]);
  });

  test("the client takes from elsewhere exact numbers only: it is published alone, and runs in other people's programs", () => {
    const found = offenders(
      ({ path }) => isIn(path, "client"),
      (to) => !isIn(to, "client") && !/^contract\/(exact-number|int64)\.ts$/.test(to),
    );
    expect(found).toEqual([]);
    const packages = modules
      .filter(({ path }) => isIn(path, "client"))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/(?:from|import\() ?"([^."][^"]*)"/g)].map(([, name]) => `${path} imports ${name}`),
      );
    expect(packages).toEqual([]);
  });

  test("the server does not ask itself: only the command line may be a client", () => {
    const found = offenders(
      ({ path }) => !isIn(path, "client", "cli") && !/^[^/]+\/web\//.test(path),
      (to) => isIn(to, "client"),
    );
    expect(found).toEqual([]);
  });

  test("the server serves a page's code and never runs it", () => {
    const isPage = (path: string) => /^[^/]+\/web\//.test(path);
    expect(offenders(({ path }) => !isPage(path), isPage)).toEqual([]);
  });

  test("modules import each other without circles", () => {
    const byPath = new Map(modules.map((module) => [module.path, module]));
    const finished = new Set<string>();
    function visit(path: string, way: readonly string[]): void {
      if (way.includes(path))
        throw new Error(`A circle: ${[...way.slice(way.indexOf(path)), path].join(" → ")}`);
      if (finished.has(path)) return;
      for (const imported of byPath.get(path)?.imports ?? []) visit(imported, [...way, path]);
      finished.add(path);
    }
    for (const { path } of modules) visit(path, []);
    expect(finished.size).toBeGreaterThanOrEqual(modules.length);
  });
});

describe("what may be said where", () => {
  const saying = (pattern: RegExp, ...allowed: string[]) =>
    modules
      .filter(
        ({ path, text }) =>
          pattern.test(text) && !allowed.some((one) => path === one || path.startsWith(one)),
      )
      .map(({ path }) => path);

  test("an engine's name stands only in storage/, and in the sentences that tell an operator of it", () => {
    expect(saying(/sqlite|postgres/i, "storage/", "config.ts")).toEqual([]);
  });

  test("the environment is read in config.ts alone", () => {
    expect(saying(/process\.env|Bun\.env/, "config.ts")).toEqual([]);
  });

  test("whether this is the single executable is asked where it makes a difference: its own command, and page parts", () => {
    expect(saying(/isStandaloneExecutable|embeddedFiles/, "own-command.ts", "http/page-parts.ts")).toEqual(
      [],
    );
    expect(saying(/process\.execPath|Bun\.main|process\.argv0/, "own-command.ts")).toEqual([]);
  });

  test("the time is asked in clock.ts alone, and randomness in random.ts", () => {
    // A page has the browser's, which no one hands to it, and the client those of whatever program it is part of.
    expect(saying(/Date\.now|new Date\(\)/, "clock.ts", "console/web/", "client/retry.ts")).toEqual([]);
    const randomness = /Math\.random|randomUUID|getRandomValues/;
    expect(saying(randomness, "random.ts", "console/web/", "client/random.ts")).toEqual([]);
  });

  test("no file re-exports others, and none is called utils, helpers or common", () => {
    // But for the one file that the package publishes.
    expect(saying(/^export (\*|\{[^}]*\}) from/m, "client/client.ts")).toEqual([]);
    expect(
      modules.filter(({ path }) => /(^|\/)(index|utils?|helpers?|common|shared|misc)(\.|\/)/.test(path)),
    ).toEqual([]);
  });
});
