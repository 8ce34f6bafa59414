/** A step in reading the whole content of a database. */
export interface Inspected {
  /** Share of the database that has been read so far, from 0 to 1. */
  readonly share: number;
  /** Problems found in this step, one sentence each. */
  readonly problems: readonly string[];
  /** Summary of a completed read: `9 tables, 3.4 MB`. */
  readonly summary?: string;
}
