/** One request as text, and its expected status. */
export interface RequestTemplate {
  readonly text: string;
  readonly status: number;
}

/** Placeholder in a request for a number that is unique in the run. */
export const NUMBER_MARK = "############";

/** Every connection sends a request, waits for the complete response, and sends the next. */
export interface Job {
  readonly port: number;
  /** The server's process, for its CPU time. */
  readonly pid: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Sent in a cycle. */
  readonly requests: readonly RequestTemplate[];
}

/** Times in microseconds. */
export interface Measured {
  readonly answers: number;
  readonly wallMicros: number;
  readonly serverCpuMicros: number;
  readonly generatorCpuMicros: number;
  /** CPU time of the database server and of other programs. */
  readonly otherCpuMicros: number;
  readonly p50Micros: number;
  readonly p99Micros: number;
}

export type Outcome = { readonly measured: Measured } | { readonly fault: string };
