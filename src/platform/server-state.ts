/** The state of the database server when this process last used it. */
export interface ServerState {
  readonly isReachable: boolean;
  readonly isWritable: boolean;
  readonly timeline: number;
  readonly connections: readonly (readonly [pool: string, count: number])[];
  readonly standbysLeftOut: number;
}
