/** One request as its bytes, and the only status that it may be answered with. */
export interface Shot {
  readonly text: string;
  readonly status: number;
}

/** Stands in a shot's text where a number goes that is never sent twice. */
export const NUMBER_MARK = "############";

/** What the load generator is to do: every connection asks, waits for the whole answer, and asks again. */
export interface Job {
  readonly port: number;
  /** The server's process, whose CPU time is read when measuring starts and ends. */
  readonly pid: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Sent in turn, from the first again after the last. */
  readonly shots: readonly Shot[];
}

/** What was measured; times in microseconds. */
export interface Measured {
  readonly answers: number;
  readonly wallMicros: number;
  readonly serverCpuMicros: number;
  readonly generatorCpuMicros: number;
  /** CPU time that went to neither of the two: to the database server, or to strangers. */
  readonly otherCpuMicros: number;
  readonly p50Micros: number;
  readonly p99Micros: number;
}

export type Outcome = { readonly measured: Measured } | { readonly fault: string };
