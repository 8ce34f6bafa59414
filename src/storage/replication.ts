export interface Replication {
  readonly server: string;
  /** The value of `synchronous_commit`, which decides when a commit is acknowledged: `on`, `local`, `off`, … */
  readonly commits: string;
  /**
   * The value of `synchronous_standby_names`, which lists the standbys that commits wait for. Empty if commits wait for no standby.
   */
  readonly required: string;
  readonly standbys: number;
  /** The number of standbys that commits wait for. It is 0 if this database user is not allowed to see it. */
  readonly synchronous: number;
}
