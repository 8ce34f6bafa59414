// A baseline whose statements change needs a new number: a store of another number is refused, not opened with other tables.
import type { SourceFile } from "./source.ts";

interface Baseline {
  readonly number: number;
  /** Of PostgreSQL's file and then SQLite's. */
  readonly sha256: string;
}

/** Baselines by migration folder. */
const BASELINES: Readonly<Record<string, Baseline>> = {
  accounts: { number: 20, sha256: "95078c4cc56c96722f025674bca37fac2e29696b3093a9775c9f01fb739ddab6" },
  messages: { number: 12, sha256: "c484dded005c26269ec15cb1fce104e16b5b6c1f225f73e19d55b0176abfbff3" },
  store: { number: 20, sha256: "0a44f70800c3f56c8ae27723aa739c5f4889e33aba5188aca910d2b020b9787d" },
};

export function findBaselineFaults(files: readonly SourceFile[]): readonly string[] {
  return Object.entries(BASELINES).flatMap(([kind, { number, sha256 }]) => {
    const path = new RegExp(`^src/storage/migrations/(postgres|sqlite)/${kind}/(\\d+)-baseline\\.sql$`);
    const texts = files.filter((file) => path.test(file.path));
    const found = Math.max(...texts.map((file) => Number(path.exec(file.path)?.[2])));
    const hash = new Bun.CryptoHasher("sha256")
      .update(texts.map(({ text }) => statementsOf(text)).join(""))
      .digest("hex");
    if (hash === sha256 && found === number) return [];
    const next = found > number ? found : number + 1;
    const name = `${String(next).padStart(4, "0")}-baseline.sql`;
    return [
      `src/storage/migrations: the baseline of ${kind} changed: name both files ${name}, and write { number: ${next}, sha256: "${hash}" } in scripts/check/baselines.ts.`,
    ];
  });
}

/** A migration without its comments between statements; SQLite stores the comments within them. */
function statementsOf(sql: string): string {
  return sql.replaceAll(/^--.*\n/gm, "");
}
