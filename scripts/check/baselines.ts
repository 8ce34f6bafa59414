// A baseline whose text changes gets a new number: a store of the one before is refused then, and never opened with other tables.
import type { SourceFile } from "./source.ts";

interface Baseline {
  readonly number: number;
  /** Of PostgreSQL's text and SQLite's, in this order. */
  readonly sha256: string;
}

/** By the folder of the migrations. */
const BASELINES: Readonly<Record<string, Baseline>> = {
  accounts: { number: 12, sha256: "6f90076866bbaa7b355518f9c0228f746a113286db345c7d4ca8f5b980d7f655" },
  messages: { number: 7, sha256: "f65ab07dff966d5ae0ff4760db9bf136f5364b14040910bb3c1acd250da67fbf" },
  store: { number: 13, sha256: "4081866e88a6876c92c80e1e382c95638999df8fcb2650b55921f9e73026eea5" },
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
