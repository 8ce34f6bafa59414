export interface Inspected {
  /** The fraction of the database that has been read so far: a number from 0 to 1. */
  readonly share: number;
  /** The problems that were found in one step of a check. Each is one sentence. */
  readonly problems: readonly string[];
  /** A summary of a complete check, such as `9 tables, 3.4 MB`. Absent until everything has been read. */
  readonly summary?: string;
}
