// A baseline is the migration that creates the tables of a new store. Before the first release, it must get a new number whenever
// its statements change. A program can then refuse a store with a different number, instead of opening it with the wrong tables.
// After a release, a migration never changes: test/storage/released/ contains the hashes for each release.
import { readFiles, type SourceFile } from "./source.ts";

interface Baseline {
  readonly number: number;
  /** The hash of the PostgreSQL baseline followed by the SQLite baseline. */
  readonly sha256: string;
}

/** The expected baselines, keyed by the folder of the migrations. */
const BASELINES: Readonly<Record<string, Baseline>> = {
  accounts: { number: 25, sha256: "ba76c920ce05f899a42ed0c0a766a3809f346c8ac0ed96e94082b9cb7462b849" },
  messages: { number: 13, sha256: "739d3073870baea4dbac3f0b0b61aba475928b87e53494666ffde81df4a18484" },
  store: { number: 26, sha256: "786c3e9eed29a5eec0c8e862ffd2ac208a552a4a923fb990a86386dd6978bc19" },
};

/** The hashes of the migrations in a release, keyed by path. */
type Hashes = Readonly<Record<string, string>>;

export interface ReleasedMigrations {
  readonly version: string;
  readonly hashes: Hashes;
}

/** Reads the hashes of the migrations in all releases, as `keepStores` has written them. */
export async function readReleased(root?: string): Promise<readonly ReleasedMigrations[]> {
  const files = await readFiles(["test/storage/released/*/migrations.json"], root);
  return files.map(({ path, text }) => ({ version: path.split("/").at(-2) ?? "", hashes: JSON.parse(text) }));
}

export function hashMigrations(files: readonly SourceFile[]): Hashes {
  const migrations = files.filter(({ path }) => path.startsWith("src/storage/migrations/"));
  return Object.fromEntries(migrations.map(({ path, text }) => [path, hashOf([text])]));
}

/** Finds baselines that were changed without a new number, and migrations that were changed after a release. */
export function findBaselineFaults(
  files: readonly SourceFile[],
  released: readonly ReleasedMigrations[],
): readonly string[] {
  if (released.length === 0) return Object.entries(BASELINES).flatMap((kind) => unwrittenIn(files, kind));
  const now = hashMigrations(files);
  return released.flatMap(({ version, hashes }) =>
    Object.entries(hashes)
      .filter(([path, hash]) => now[path] !== hash)
      .map(
        ([path]) =>
          `${path} was released with ${version}, and has another text now. Put that text back, and write a migration (docs/contributing/migrations.md).`,
      ),
  );
}

function unwrittenIn(
  files: readonly SourceFile[],
  [kind, { number, sha256 }]: [string, Baseline],
): readonly string[] {
  const path = new RegExp(`^src/storage/migrations/(postgres|sqlite)/${kind}/(\\d+)-baseline\\.sql$`);
  const texts = files.filter((file) => path.test(file.path));
  const found = Math.max(...texts.map((file) => Number(path.exec(file.path)?.[2])));
  const hash = hashOf(texts.map(({ text }) => text));
  if (hash === sha256 && found === number) return [];
  const next = found > number ? found : number + 1;
  const name = `${String(next).padStart(4, "0")}-baseline.sql`;
  return [
    `src/storage/migrations: the baseline of ${kind} changed: name both files ${name}, and write { number: ${next}, sha256: "${hash}" } in scripts/check/baselines.ts.`,
  ];
}

/**
 * Returns the hash of SQL statements. Comments between statements do not count. Comments inside a statement do, because SQLite
 * stores them.
 */
function hashOf(texts: readonly string[]): string {
  const statements = texts.map((sql) => sql.replaceAll(/^--.*\n/gm, "")).join("");
  return new Bun.CryptoHasher("sha256").update(statements).digest("hex");
}
