/** State of the database server when a process last saw it. */
export interface ServerState {
  readonly isReachable: boolean;
  readonly isWritable: boolean;
  readonly timeline: number;
  /** Number of open connections for each pool. */
  readonly connections: readonly (readonly [pool: string, count: number])[];
  readonly standbysLeftOut: number;
}
