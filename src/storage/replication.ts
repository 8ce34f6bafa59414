/** Replication settings of a primary. */
export interface Replication {
  /** Host and port of the primary. */
  readonly server: string;
  /** Condition for acknowledging a commit (`synchronous_commit`): `on`, `local`, `off`, … */
  readonly commits: string;
  /** Standbys that a commit waits for, as in the setting; empty for none. */
  readonly required: string;
  /** Number of connected standbys. */
  readonly standbys: number;
  /** Number of standbys that commits wait for; 0 for a user who may not see it. */
  readonly synchronous: number;
}
