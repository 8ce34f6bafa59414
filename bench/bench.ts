import type { LoadGenerator } from "./load/load-generator.ts";
import type { Pinning } from "./pinning.ts";
import type { Progress } from "./progress.ts";

/** What every command stands on. */
export interface Bench {
  /** For everything that is written; removed in the end. */
  readonly folder: string;
  readonly pinning: Pinning;
  readonly progress: Progress;
  readonly generator: LoadGenerator;
  /** Whatever is started ends with these. */
  readonly resources: AsyncDisposableStack;
}

/** What a command has found out. */
export interface Report {
  readonly text: string;
  readonly json: object;
  readonly hasFailed: boolean;
}
