export interface Replication {
  readonly server: string;
  /** The setting that decides when a commit is acknowledged (`synchronous_commit`): `on`, `local`, `off`, … */
  readonly commits: string;
  /** The setting that lists the standbys that a commit waits for. It is empty if commits wait for none. */
  readonly required: string;
  readonly standbys: number;
  /** The number of standbys that commits wait for, or 0 if this user is not allowed to see it. */
  readonly synchronous: number;
}
