/** State of a database server, as a process last saw it. */
export interface ServerState {
  readonly isReachable: boolean;
  readonly isWritable: boolean;
  readonly timeline: number;
  /** Open connections, by pool. */
  readonly connections: readonly (readonly [pool: string, count: number])[];
  readonly standbysLeftOut: number;
}
