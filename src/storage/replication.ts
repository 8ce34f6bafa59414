export interface Replication {
  readonly server: string;
  /** Condition for acknowledging a commit (`synchronous_commit`): `on`, `local`, `off`, … */
  readonly commits: string;
  /** Standbys that a commit waits for, as in the setting; empty for none. */
  readonly required: string;
  readonly standbys: number;
  /** Number of standbys that commits wait for; 0 for a user who may not see it. */
  readonly synchronous: number;
}
