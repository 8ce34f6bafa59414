// A baseline whose text changes gets a new number: a store of the one before is refused then, and never opened with other tables.
import type { SourceFile } from "./source.ts";

interface Baseline {
  readonly number: number;
  /** Of PostgreSQL's text and SQLite's, in this order. */
  readonly sha256: string;
}

/** By the folder of the migrations. */
const BASELINES: Readonly<Record<string, Baseline>> = {
  accounts: { number: 19, sha256: "c5794a6ff60385ddd8bb8fb6ed1947cb54c1cd3f52b17a0aa6bc2afb06b1ad71" },
  messages: { number: 11, sha256: "d68a6bddc156265b29065dd5ac55a34167e19619637909ce26373b9b1ec79879" },
  store: { number: 17, sha256: "6854d7d0ef2a48d7a01aae0f7d27c848bdff3d441f5feaff8e9e83988ec019a3" },
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
