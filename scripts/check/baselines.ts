// A baseline whose text changes gets a new number: a store of the one before is refused then, and never opened with other tables.
import type { SourceFile } from "./source.ts";

interface Baseline {
  readonly number: number;
  /** Of PostgreSQL's text and SQLite's, in this order. */
  readonly sha256: string;
}

/** By the folder of the migrations. */
const BASELINES: Readonly<Record<string, Baseline>> = {
  accounts: { number: 19, sha256: "c88b3d094973d8fa4d5f58187d1c3324bca876744a7673b30f48b4bba7bdb3df" },
  messages: { number: 11, sha256: "141ea2a601375fb2262e3b1e1bfbe7273aaee69ba231de43fd6e861ccd0bf557" },
  store: { number: 17, sha256: "e3927209b91edab177c5ab3bbdb6b244fd53d277138e15c61d327ea9b581c530" },
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
