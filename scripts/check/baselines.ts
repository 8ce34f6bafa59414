// A baseline whose text changes gets a new number: a store of the one before is refused then, and never opened with other tables.
import type { SourceFile } from "./source.ts";

interface Baseline {
  readonly number: number;
  /** Of PostgreSQL's text and SQLite's, in this order. */
  readonly sha256: string;
}

/** By the folder of the migrations. */
const BASELINES: Readonly<Record<string, Baseline>> = {
  accounts: { number: 15, sha256: "be2d5daa5f4df527e7f8e0fb41f1feaeab223f81d17269729f358412a6d349a9" },
  messages: { number: 9, sha256: "88d834e95743cf99eee3ae555ac1fde5199b0e9bbf2c43b88b98183380cbc464" },
  store: { number: 15, sha256: "82d23645613f4ab7bafc27a014ce45b1770ad5f49da7d845575d63e9d219909c" },
};

export function findBaselineFaults(files: readonly SourceFile[]): readonly string[] {
  return Object.entries(BASELINES).flatMap(([kind, { number, sha256 }]) => {
    const path = new RegExp(`^src/storage/migrations/(postgres|sqlite)/${kind}/(\\d+)-baseline\\.sql$`);
    const texts = files.filter((file) => path.test(file.path));
    const found = Math.max(...texts.map((file) => Number(path.exec(file.path)?.[2])));
    const hash = new Bun.CryptoHasher("sha256").update(texts.map(({ text }) => text).join("")).digest("hex");
    if (hash === sha256 && found === number) return [];
    const next = found > number ? found : number + 1;
    const name = `${String(next).padStart(4, "0")}-baseline.sql`;
    return [
      `src/storage/migrations: the baseline of ${kind} changed: name both files ${name}, and write { number: ${next}, sha256: "${hash}" } in scripts/check/baselines.ts.`,
    ];
  });
}
