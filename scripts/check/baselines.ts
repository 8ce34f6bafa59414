// A baseline whose text changes gets a new number: a store of the one before is refused then, and never opened with other tables.
import type { SourceFile } from "./source.ts";

interface Baseline {
  readonly number: number;
  /** Of PostgreSQL's text and SQLite's, in this order. */
  readonly sha256: string;
}

/** By the folder of the migrations. */
const BASELINES: Readonly<Record<string, Baseline>> = {
  accounts: { number: 11, sha256: "e3fdf65629b80d7f4428d3845e124c3fd1fd2471fda59221c01d9e96f4c5270c" },
  messages: { number: 6, sha256: "29e12335b554870943c37461ff92357e81df91681850e87ce66a232786530f5a" },
  store: { number: 12, sha256: "40a779c19a1ac08c936d10a33ede5197d33ab22c299b0e13386b3d74e87a8d00" },
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
