export interface Replication {
  readonly server: string;
  /** Setting that decides when a commit is acknowledged (`synchronous_commit`): `on`, `local`, `off`, … */
  readonly commits: string;
  /** Setting that lists the standbys for which a commit waits; empty if it waits for none. */
  readonly required: string;
  readonly standbys: number;
  /** Number of standbys that commits wait for; 0 if this user may not see it. */
  readonly synchronous: number;
}
