/** Replication settings of a primary. */
export interface Replication {
  /** The primary's host and port. */
  readonly server: string;
  /** When a commit counts as done: `on`, `local`, `off`, … */
  readonly commits: string;
  /** The standbys that a commit waits for, as the setting names them; empty for none. */
  readonly required: string;
  /** Standbys that are connected. */
  readonly standbys: number;
  /** Standbys that commits wait for; 0 for a user who may not see it. */
  readonly synchronous: number;
}
