import { describe, expect, test } from "bun:test";
import { dirname, join, normalize } from "node:path";

// The layers of ARCHITECTURE.md as one table. A failure's message is the paragraph that a newcomer needs.

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

interface Import {
  readonly path: string;
  readonly isTypeOnly: boolean;
}

interface Module {
  readonly path: string;
  readonly text: string;
  /** Modules of this repository. */
  readonly imports: readonly Import[];
}

const IMPORT =
  /^(?:import|export)( type)?\b[^;"]*?from "(\.[^"]+)"|import\(\s*"(\.[^"]+)"|^import "(\.[^"]+)"/gm;

const modules: readonly Module[] = await Promise.all(
  ["src", "client/src"]
    .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync({ cwd: PROJECT })])
    .filter((path) => !path.endsWith(".test.ts") && !path.endsWith(".d.ts"))
    .sort()
    .map(async (path) => {
      const text = await Bun.file(PROJECT + path).text();
      const imports = [...text.matchAll(IMPORT)]
        .map(([, type, from, dynamic, bare]) => ({
          path: normalize(join(dirname(path), from ?? dynamic ?? bare ?? "")),
          isTypeOnly: type !== undefined,
        }))
        .filter((imported) => /^(src|client)[/]/.test(imported.path));
      return { path, text, imports };
    }),
);

/** `pets` of `src/pets/store.ts`, `console/web` of `src/console/web/main.tsx`, `config` of `src/config.ts`. */
function folderOf(path: string): string {
  if (path.startsWith("client/src/")) return "client";
  const [first = "", second = ""] = path.replace(/^src\//, "").split("/");
  if (second === "") return first.replace(/\.ts$/, "");
  return second === "web" ? `${first}/web` : first;
}

const BOTTOM = ["client", "errors", "limits", "platform"];
const FEATURE = [...BOTTOM, "contract", "context", "storage"];
const FEATURES = [
  "pets",
  "categories",
  "orders",
  "events",
  "messages",
  "attempts",
  "audit",
  "accounts",
  "invitations",
  "passkeys",
  "keys",
  "webhooks",
  "rehearsal",
];

/** Every folder, and every file at the root of `src/`, with all that it may import besides itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  client: [],
  errors: [],
  limits: [],
  platform: ["limits"],
  contract: BOTTOM,
  storage: [...BOTTOM, "contract"],
  context: ["contract", "platform", "storage"],
  config: ["context", "errors", "limits", "platform", "telemetry"],
  pets: [...FEATURE, "events"],
  categories: [...FEATURE, "events"],
  orders: [...FEATURE, "events", "pets"],
  // An event has the resource that was changed.
  events: [...FEATURE, "pets", "categories", "orders"],
  messages: [...FEATURE, "attempts"],
  attempts: FEATURE,
  audit: FEATURE,
  accounts: [...FEATURE, "audit"],
  invitations: [...FEATURE, "audit", "accounts"],
  passkeys: [...FEATURE, "audit", "accounts"],
  keys: [...FEATURE, "audit"],
  webhooks: [...FEATURE, "attempts", "audit", "events"],
  rehearsal: [...FEATURE, "pets"],
  // Read by the command line and by the console's pages: it uses nothing of either runtime.
  "pet-files": ["client", "limits", "contract", "pets"],
  telemetry: [...BOTTOM, "contract", "storage", "config"],
  delivery: [
    ...BOTTOM,
    "contract",
    "config",
    "context",
    "storage",
    "attempts",
    "messages",
    "webhooks",
    "telemetry",
  ],
  http: [...FEATURE, "config", "keys", "telemetry"],
  api: [...BOTTOM, "contract", "config", "http", ...FEATURES],
  reference: [...BOTTOM, "contract", "http", "api", "guides"],
  guides: [...BOTTOM, "http", "reference"],
  "reference/web": ["client", "contract"],
  console: [...FEATURE, "config", "http", "api", "pet-files", ...FEATURES],
  "console/web": ["client", "pet-files", ...FEATURES],
  server: [
    ...FEATURE,
    "config",
    "telemetry",
    "delivery",
    "http",
    "api",
    "reference",
    "guides",
    "console",
    ...FEATURES,
  ],
  cli: [...FEATURE, "config", "delivery", "api", "server", "pet-files", ...FEATURES],
  main: ["cli", "config", "errors"],
};

/** The imports that no row of the table allows, and the folders without a row. */
function violations(of: readonly Pick<Module, "path" | "imports">[]): readonly string[] {
  return of.flatMap(({ path, imports }) => {
    const folder = folderOf(path);
    const allowed = ALLOWED[folder];
    if (allowed === undefined) return [`${path}: the folder ${folder} has no row in the table`];
    return imports
      .map((imported) => folderOf(imported.path))
      .filter((to) => to !== folder && !allowed.includes(to))
      .map((to) => `${path}: ${folder} must not import ${to}`);
  });
}

function probe(path: string, imported: string): readonly string[] {
  return violations([{ path, imports: [{ path: imported, isTypeOnly: true }] }]);
}

describe("the table of allowed imports", () => {
  test("every import of src/ and client/ is in it", () => {
    expect(violations(modules)).toEqual([]);
  });

  test("every row is a folder that is there", () => {
    const folders = new Set(modules.map(({ path }) => folderOf(path)));
    expect(Object.keys(ALLOWED).filter((folder) => !folders.has(folder))).toEqual([]);
  });

  test("a feature that imports telemetry, or the command line, is refused", () => {
    expect(probe("src/pets/list-pets.ts", "src/telemetry/logger.ts")).toHaveLength(1);
    expect(probe("src/keys/verify-key.ts", "src/http/response.ts")).toHaveLength(1);
    expect(probe("src/orders/store.ts", "src/cli/program.ts")).toHaveLength(1);
  });

  test("the reference that imports the server, and the client that imports the contract, are refused", () => {
    expect(probe("src/reference/reference-page.ts", "src/server/app.ts")).toHaveLength(1);
    expect(probe("client/src/client.ts", "src/contract/cursor.ts")).toHaveLength(1);
  });

  test("a folder without a row is refused, even without imports", () => {
    expect(violations([{ path: "src/extras/one.ts", imports: [] }])).toHaveLength(1);
  });
});

describe("what the table does not say", () => {
  const imports = modules.flatMap(({ path, imports }) =>
    imports.map((imported) => ({ from: path, to: imported.path, isTypeOnly: imported.isTypeOnly })),
  );
  const isPage = (path: string) => /^src\/[^/]+\/web\//.test(path);

  test("a feature's contract.ts imports no SQL: programs without a database read contracts", () => {
    const found = imports.filter(
      ({ from, to }) => from.endsWith("/contract.ts") && /(^src\/storage\/|\/store\.ts$)/.test(to),
    );
    expect(found).toEqual([]);
  });

  test("a page imports types, exact JSON, the words of names, the reading of files and code samples only: the rest of the program stays out of browsers", () => {
    const found = imports.filter(
      ({ from, to, isTypeOnly }) =>
        isPage(from) &&
        !isPage(to) &&
        !isTypeOnly &&
        !/^(client\/src\/(int64|read-json|write-json)|src\/contract\/openapi\/code-samples|src\/pet-files\/.*|src\/pets\/words)\.ts$/.test(
          to,
        ),
    );
    expect(found).toEqual([]);
  });

  test("the server serves a page's code and never runs it", () => {
    expect(imports.filter(({ from, to }) => isPage(to) && !isPage(from))).toEqual([]);
  });

  test("the server never calls itself: of the client it takes exact JSON alone", () => {
    const found = imports.filter(
      ({ from, to }) =>
        folderOf(to) === "client" &&
        !["client", "cli", "pet-files"].includes(folderOf(from)) &&
        !isPage(from) &&
        !/\/(exact-number|int64|json-text)\.ts$/.test(to),
    );
    expect(found).toEqual([]);
  });

  test("the client imports no package: it runs in other people's programs", () => {
    const found = modules
      .filter(({ path }) => folderOf(path) === "client")
      .flatMap(({ path, text }) =>
        [...text.matchAll(/(?:from|import\() ?"([^."][^"]*)"/g)].map(([, name]) => `${path} imports ${name}`),
      );
    expect(found).toEqual([]);
  });

  test("modules import each other without circles", () => {
    const byPath = new Map(modules.map((module) => [module.path, module]));
    const finished = new Set<string>();
    function visit(path: string, chain: readonly string[]): void {
      if (chain.includes(path))
        throw new Error(`A circle: ${[...chain.slice(chain.indexOf(path)), path].join(" → ")}`);
      if (finished.has(path)) return;
      for (const imported of byPath.get(path)?.imports ?? []) visit(imported.path, [...chain, path]);
      finished.add(path);
    }
    for (const { path } of modules) visit(path, []);
    expect(finished.size).toBeGreaterThanOrEqual(modules.length);
  });
});

describe("what may be said where", () => {
  const saying = (pattern: RegExp, ...allowed: readonly string[]) =>
    modules
      .filter(({ path, text }) => pattern.test(text) && !allowed.some((one) => path.startsWith(one)))
      .map(({ path }) => path);
  /** Writes programs that others run. */
  const CODE_SAMPLES = "src/contract/openapi/code-samples.ts";

  test("an engine is named in storage/ alone, and in the sentences that an operator reads", () => {
    // The guides link to compose.postgres.yaml.
    const said = saying(
      /sqlite|postgres/i,
      "src/storage/",
      "src/config.ts",
      "src/limits.ts",
      "src/guides/guides.ts",
    );
    expect(said).toEqual([]);
  });

  test("the environment is read in config.ts alone", () => {
    expect(saying(/process\.env|Bun\.env/, "src/config.ts", CODE_SAMPLES)).toEqual([]);
  });

  test("two files distinguish the single executable from the source: platform/executable and the bundles", () => {
    const allowed = ["src/platform/executable.ts", "src/http/static/bundles.ts"];
    expect(saying(/isStandaloneExecutable|embeddedFiles/, ...allowed)).toEqual([]);
    expect(saying(/process\.execPath|Bun\.main|process\.argv0/, "src/platform/executable.ts")).toEqual([]);
  });

  test("the time is read in platform/clock.ts, and randomness in platform/random.ts", () => {
    // A page has the browser's clock, and the client that of the program it is part of.
    const time = /Date\.now|new Date\(\)/;
    const inClient = ["client/src/retry.ts", "client/src/verify-webhook.ts"];
    const pages = ["src/console/web/", "src/reference/web/"];
    expect(saying(time, "src/platform/clock.ts", ...pages, ...inClient)).toEqual([]);
    const randomness = /Math\.random|randomUUID|getRandomValues/;
    expect(saying(randomness, "src/platform/random.ts", "src/console/web/", "client/src/random.ts")).toEqual(
      [],
    );
  });

  test("src/ imports the client by relative path: the package is built from these files later", () => {
    expect(saying(/(from |import ?\(?\s*)"@petstore\/client/, CODE_SAMPLES)).toEqual([]);
  });

  test("the Model Context Protocol is spoken in cli/mcp alone", () => {
    expect(saying(/"@modelcontextprotocol\//, "src/cli/mcp/")).toEqual([]);
    expect(saying(/"@modelcontextprotocol\//)).toHaveLength(3);
  });

  test("no file re-exports others, but for the one that the client's package publishes", () => {
    expect(saying(/^export (\*|\{[^}]*\}) from/m, "client/src/client.ts")).toEqual([]);
  });

  test("no file or folder is called index, utils, helpers, common, shared or misc", () => {
    const vague = /(^|\/)(index|utils?|helpers?|common|shared|misc)(\.|\/)/;
    expect(modules.map(({ path }) => path).filter((path) => vague.test(path))).toEqual([]);
  });

  test("five files stand at the root of src/", () => {
    const root = modules.map(({ path }) => path).filter((path) => /^src\/[^/]+$/.test(path));
    expect(root).toEqual(["config", "context", "errors", "limits", "main"].map((name) => `src/${name}.ts`));
  });
});
