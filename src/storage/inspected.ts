/** One step in reading a database's entire content. */
export interface Inspected {
  /** The fraction of the database that has been read so far: a number from 0 to 1. */
  readonly share: number;
  /** The problems that were found in this step. Each is one sentence. */
  readonly problems: readonly string[];
  /** A summary such as `9 tables, 3.4 MB`. Present only when everything has been read. */
  readonly summary?: string;
}
