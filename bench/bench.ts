import type { Series } from "./aims.ts";
import type { LoadGenerator } from "./load/load-generator.ts";
import type { Pinning } from "./pinning.ts";
import type { Progress } from "./progress.ts";

/** What every command needs. */
export interface Bench {
  /** For all files of the run; removed at the end. */
  readonly folder: string;
  readonly pinning: Pinning;
  readonly progress: Progress;
  readonly generator: LoadGenerator;
  /** Stops every process that the run starts. */
  readonly resources: AsyncDisposableStack;
}

export interface Report {
  readonly text: string;
  readonly json: object;
  /** For the aims. */
  readonly series: readonly Series[];
  readonly hasFailed: boolean;
}
