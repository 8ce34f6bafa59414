/** One step of reading everything that a database has. */
export interface Inspected {
  /** Of the whole database, from 0 to 1. */
  readonly share: number;
  /** One sentence each. */
  readonly problems: readonly string[];
  /** Summary of a completed read: `9 tables, 3.4 MB`. */
  readonly summary?: string;
}
