/** One step in reading a database's entire content. */
export interface Inspected {
  /** The fraction of the database that has been read so far, from 0 to 1. */
  readonly share: number;
  /** The problems found in this step, each as one sentence. */
  readonly problems: readonly string[];
  /** A summary once everything has been read, such as `9 tables, 3.4 MB`. */
  readonly summary?: string;
}
