export interface Replication {
  readonly server: string;
  /** Condition for acknowledging a commit (`synchronous_commit`): `on`, `local`, `off`, … */
  readonly commits: string;
  /** The setting with the standbys that a commit waits for; empty if it waits for none. */
  readonly required: string;
  readonly standbys: number;
  /** Number of standbys that commits wait for; 0 if this user may not see it. */
  readonly synchronous: number;
}
