/** Hears of changes that other processes make. */
export interface ChangeFeed {
  /**
   * Whether every change that was committed more than a moment ago (`WATCH_TRUST_MS`) has been told. While it is
   * false, nothing that was remembered may be believed.
   */
  isHealthy(): boolean;
  close(): Promise<void>;
}

/** Told of a change; of undefined when changes may have been missed. */
export type OnChange = (payload: string | undefined) => void;
