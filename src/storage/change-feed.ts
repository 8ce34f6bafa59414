/** A subscription to changes that any process makes. */
export interface ChangeFeed {
  /**
   * Whether `onChange` has been called for every change that was committed more than `FEED_STALE_MS` ago. While it is
   * false, nothing cached may be used.
   */
  isHealthy(): boolean;
  close(): Promise<void>;
}

/** Called at a change with its payload; with undefined when changes may have been missed. */
export type OnChange = (payload: string | undefined) => void;
