// Checks that each source file imports only what the layers in ARCHITECTURE.md allow, and that certain texts occur only in certain
// files.
import { dirname, join, normalize } from "node:path";
import { isProduct, type SourceFile } from "./source.ts";

const BOTTOM = words("exact-json errors limits platform");
/** The folders that every feature, such as pets or orders, may import. */
const FEATURE = [...BOTTOM, ...words("contract context storage")];
const FEATURES = words(
  "events pets categories orders event-kinds delivery-queue messages accounts keys webhooks rehearsal",
);

/** The folders that each folder, and each file directly in `src/`, may import. Each row may name only the rows above it. */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "exact-json": [],
  client: ["exact-json"],
  errors: [],
  limits: [],
  platform: ["limits"],
  contract: BOTTOM,
  storage: [...BOTTOM, "contract"],
  context: words("contract platform storage"),
  telemetry: BOTTOM,
  config: words("context limits platform telemetry"),
  events: FEATURE,
  pets: [...FEATURE, "events"],
  categories: [...FEATURE, "events"],
  orders: [...FEATURE, "events", "pets"],
  "event-kinds": [...FEATURE, ...words("events pets categories orders")],
  "delivery-queue": FEATURE,
  messages: [...FEATURE, "delivery-queue"],
  accounts: [...FEATURE, "delivery-queue"],
  keys: [...FEATURE, "accounts"],
  webhooks: [...FEATURE, "delivery-queue", "accounts", "events", "event-kinds"],
  rehearsal: [...FEATURE, ...words("events event-kinds pets categories orders accounts webhooks")],
  // The command line and the web pages of the console share the code in this folder, so it must run without Bun and without a
  // browser.
  "pet-files": words("exact-json client limits contract pets"),
  delivery: [...FEATURE, ...words("config delivery-queue messages accounts events webhooks telemetry")],
  http: [...FEATURE, ...words("config keys telemetry")],
  api: [...BOTTOM, ...words("contract context config storage http"), ...FEATURES],
  site: [...BOTTOM, ...words("contract http api")],
  "site/web": words("exact-json contract site"),
  console: [...FEATURE, ...words("config http api pet-files"), ...FEATURES],
  "console/web": [...words("exact-json client contract api pet-files console"), ...FEATURES],
  server: [...FEATURE, ...words("config telemetry delivery http api site console"), ...FEATURES],
  cli: [...FEATURE, ...words("client config delivery api server pet-files"), ...FEATURES],
  main: words("cli config errors platform"),
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isTypeOnly: boolean;
}

/** Rules about imports that the table of layers cannot express. */
const IMPORT_RULES: readonly (readonly [breaks: (one: Import) => boolean, says: string])[] = [
  [
    ({ from, to }) => /contract\.ts$/.test(from) && /(^src\/storage\/|\/store\.ts$)/.test(to),
    "a feature's contract.ts imports no SQL, because programs without a database read contracts",
  ],
  [
    ({ from, to, isTypeOnly }) => isPage(from) && !isPage(to) && !isTypeOnly && !FOR_PAGES.test(to),
    "a page imports types, exact JSON, the client, the words of names, the lengths of texts, the reading of files and code samples only; the rest of the program stays out of browsers",
  ],
  [({ from, to }) => isPage(to) && !isPage(from), "the server serves a page's code and never runs it"],
];
const FOR_PAGES =
  /^(exact-json\/[\w-]+|client\/src\/[\w-]+|src\/site\/reference\/code-samples|src\/pet-files\/.*|src\/pets\/(words|blank)|src\/contract\/text-length)\.ts$/;

/**
 * The file that generates code samples for users of the API. The samples may read environment variables, which other code may not.
 */
const CODE_SAMPLES = "src/site/reference/code-samples.ts";

/** Texts that may occur only in certain files, each with the beginnings of the paths of these files. */
const TEXT_RULES: readonly (readonly [text: RegExp, allowed: readonly string[], says: string])[] = [
  [
    /sqlite|postgres/i,
    // src/site/guides/guides.ts may contain the name of a database, because the guides link to compose.postgres.yaml.
    ["src/storage/", "src/config", "src/limits.ts", "src/site/guides/guides.ts"],
    "an engine is named in storage/ alone, and in the sentences that an operator reads",
  ],
  [/process\.env|Bun\.env/, ["src/config", CODE_SAMPLES], "the environment is read in config/ alone"],
  [/toLocaleString\(\)|Intl\.\w+\(undef/, ["src/console/web/format.ts"], "use format.ts in pages"],
  [
    /isStandaloneExecutable|embeddedFiles/,
    ["src/platform/executable.ts"],
    "platform/executable.ts distinguishes the single executable from the source",
  ],
  [
    /process\.execPath|Bun\.main|process\.argv0/,
    ["src/platform/executable.ts"],
    "platform/executable.ts knows how this program was started",
  ],
  [
    /Date\.now|new Date\(\)/,
    // Web pages use the browser's clock. The API client uses the clock of the program that imports it.
    [
      ...["src/platform/clock.ts", "src/console/web/", "src/site/web/"],
      ...["client/src/retry.ts", "client/src/verify-webhook.ts"],
    ],
    "the time is read in platform/clock.ts; inject the clock",
  ],
  [
    /Math\.random|randomUUID|getRandomValues/,
    ["src/platform/random.ts", "client/src/random.ts"],
    "randomness is read in platform/random.ts; inject it",
  ],
  [
    /(from |import ?\(?\s*)"@petstore\/client/,
    [CODE_SAMPLES],
    "src/ imports the client by relative path, because the package is built from these files later",
  ],
  [
    /(?:from|import\() ?"(?!exact-json\/)[^."][^"]*"/,
    ["src/"],
    "the client imports no package but the one that is built into it, because it runs in other people's programs",
  ],
  [/"@modelcontextprotocol\//, ["src/cli/mcp/"], "the Model Context Protocol is spoken in cli/mcp alone"],
  [/"nodemailer\//, ["src/delivery/smtp.ts"], "smtp.ts alone speaks to mail servers"],
  [/"openid-client"/, ["src/accounts/identities/openid.ts"], "openid.ts alone speaks OpenID Connect"],
  [
    /^export (\*|\{[^}]*\}) from/m,
    ["client/src/client.ts"],
    "no file re-exports others, but for the one that the client's package publishes",
  ],
];

/**
 * The database tables, keyed by the folder that owns them. A folder may use its own tables and those of the folders above it in
 * this list, but no others.
 */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  storage: words("migration setting store_identity store_file copy_run idempotency_record"),
  events: words("event event_end"),
  pets: ["pet"],
  categories: ["category"],
  orders: ["store_order"],
  "delivery-queue": ["delivery_attempt"],
  messages: ["message"],
  accounts: words(
    "account session one_time_link mailed_token mail passkey passkey_challenge provider_identity audit_entry attempt_count",
  ),
  keys: words("api_key key_activity"),
  webhooks: words("webhook delivery"),
  rehearsal: ["rehearsal"],
  http: ["simulation"],
};
/** Names of tables that are also ordinary words. A string that consists only of such a word often does not mean the table. */
const WORDS = words("account session category message event pet delivery webhook mail");
const NAMES_ABOVE: readonly (readonly [path: string, table: string])[] = [
  // One statement changes an animal and checks that it has no open order. Between two statements, somebody could place an order.
  ["src/pets/store.ts", "store_order"],
  // A copy of a store leaves out the state of rehearsals and of simulated errors.
  ["src/storage/copy/copy.ts", "rehearsal"],
  ["src/storage/copy/copy.ts", "simulation"],
];

const VAGUE = /(^|\/)(index|utils?|helpers?|common|shared|misc)(\.|\/)/;
const ROOT = words("config context errors limits main").map((name) => `src/${name}.ts`);

export function findBoundaryFaults(files: readonly SourceFile[], table = ALLOWED): readonly string[] {
  const modules = files.filter(isProduct);
  return [
    ...rowsIn(modules),
    ...upwardArrows(table),
    ...modules.flatMap(importsOf).flatMap(faultsOf),
    ...modules.flatMap(tablesAbove),
    ...files.filter(({ path }) => path.endsWith(".sql")).flatMap(tablesWithoutFolder),
    ...TEXT_RULES.flatMap(([text, allowed, says]) => misplaced(modules, text, allowed, says)),
    ...files
      // In the `.pathname` of a file URL, a space is still encoded as %20.
      .filter(({ text }) => /import\.meta\.url\)\s*\.pathname/.test(text))
      .map(({ path }) => `${path}: make a path of a file URL by fileURLToPath, which decodes spaces.`),
    ...modules
      .filter(({ path }) => VAGUE.test(path))
      .map(({ path }) => `${path}: name the file or folder after what it does.`),
    ...modules
      .filter(({ path }) => /^src\/[^/]+$/.test(path) && !ROOT.includes(path))
      .map(
        ({ path }) => `${path}: put it into a folder; only ${ROOT.length} files stand at the root of src/.`,
      ),
  ];
}

function words(text: string): readonly string[] {
  return text.split(" ");
}

function importsOf({ path, text }: SourceFile): readonly Import[] {
  const found = text.matchAll(
    /^(?:import|export)( type)?\b[^;"]*?from "((?:\.|exact-json\/)[^"]+)"|import\(\s*"(\.[^"]+)"|^import "(\.[^"]+)"/gm,
  );
  return [...found]
    .map(([, type, from, dynamic, bare]) => ({
      from: path,
      to: pathOf(path, from ?? dynamic ?? bare ?? ""),
      isTypeOnly: type !== undefined,
    }))
    .filter(({ to }) => /^(src|client|exact-json)\//.test(to));
}

function pathOf(importer: string, specifier: string): string {
  if (!specifier.startsWith(".")) return `${specifier}.ts`;
  return normalize(join(dirname(importer), specifier));
}

/**
 * Returns the name of the table row that a source file belongs to: `console/web` for `src/console/web/main.tsx`, and `config` for
 * `src/config.ts`.
 */
function folderOf(path: string): string {
  const [, ours] = /^(client|exact-json)\//.exec(path) ?? [];
  if (ours !== undefined) return ours;
  const [first = "", second = ""] = path.replace(/^src\//, "").split("/");
  if (second === "") return first.replace(/\.ts$/, "");
  return second === "web" ? `${first}/web` : first;
}

function isPage(path: string): boolean {
  return /^src\/[^/]+\/web\//.test(path);
}

/** Finds rows of the table that may import a row below them. If there are none, no two folders can import each other. */
function upwardArrows(table: typeof ALLOWED): readonly string[] {
  const rows = Object.keys(table);
  return rows.flatMap((row, index) =>
    (table[row] ?? [])
      .filter((other) => !rows.slice(0, index).includes(other))
      .map((other) => `${row} may not import ${other}: its row stands below, or there is none.`),
  );
}

/** Finds folders in `src/` that have no row in the table, and rows whose folder does not exist. */
function rowsIn(modules: readonly SourceFile[]): readonly string[] {
  const folders = [...new Set(modules.map(({ path }) => folderOf(path)))];
  const rows = Object.keys(ALLOWED);
  return [
    ...folders
      .filter((folder) => !rows.includes(folder))
      .map((folder) => `${folder}: add a row to the table in scripts/check/boundaries.ts.`),
    ...rows
      .filter((row) => !folders.includes(row))
      .map((row) => `${row}: there is no such folder; delete its row in scripts/check/boundaries.ts.`),
  ];
}

function faultsOf(one: Import): readonly string[] {
  const { from, to } = one;
  const [folder, other] = [folderOf(from), folderOf(to)];
  const isAllowed = folder === other || (ALLOWED[folder] ?? []).includes(other);
  const faults = IMPORT_RULES.filter(([breaks]) => breaks(one)).map(([, says]) => says);
  if (!isAllowed) faults.push(`${folder} may import ${ALLOWED[folder]?.join(", ") || "nothing"}`);
  return faults.map((says) => `${from} imports ${to}: ${says}.`);
}

/**
 * Finds names of database tables in a file that must not use them, because the tables belong to a folder further down in the table
 * of layers.
 */
function tablesAbove({ path, text }: SourceFile): readonly string[] {
  const rows = Object.keys(ALLOWED);
  const own = rows.indexOf(folderOf(path));
  return Object.entries(TABLES)
    .filter(([folder]) => rows.indexOf(folder) > own)
    .flatMap(([folder, tables]) =>
      tables
        .filter((table) => names(text, table))
        .filter((table) => !NAMES_ABOVE.some(([file, named]) => file === path && named === table))
        .map((table) => `${path} names the table ${table}: only ${folder} and the rows after it may.`),
    );
}

function tablesWithoutFolder({ path, text }: SourceFile): readonly string[] {
  const known = Object.values(TABLES).flat();
  return [...text.matchAll(/CREATE TABLE (\w+)/g)]
    .filter(([, table = ""]) => !known.includes(table))
    .map(([, table]) => `${path} has the table ${table}: name its folder in scripts/check/boundaries.ts.`);
}

function names(text: string, table: string): boolean {
  const whole = WORDS.includes(table) ? "" : `|["'\`]${table}["'\`]`;
  return new RegExp(`\\b(FROM|JOIN|INTO|UPDATE)\\s+${table}\\b${whole}`).test(text);
}

/** Finds files that contain a text although they must not. Also finds paths that may contain the text but no longer do. */
function misplaced(
  modules: readonly SourceFile[],
  text: RegExp,
  allowed: readonly string[],
  says: string,
): readonly string[] {
  const having = modules.filter((file) => text.test(file.text)).map(({ path }) => path);
  const unused = allowed.filter((place) => !having.some((path) => path.startsWith(place)));
  return [
    ...having
      .filter((path) => !allowed.some((place) => path.startsWith(place)))
      .map((path) => `${path} has ${text.source}: ${says}.`),
    ...unused.map(
      (place) => `${place} does not have ${text.source}; delete it from scripts/check/boundaries.ts.`,
    ),
  ];
}
