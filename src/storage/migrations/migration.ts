/** One numbered step from one shape of the tables to the next. Once released, its text never changes. */
export interface Migration {
  /** Counts from 1 without gaps. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}
