/** Hears of changes that other processes make. */
export interface Watch {
  /**
   * Whether every change that was committed more than a moment ago (`WATCH_TRUST_MS`) has been told. While it is
   * false, nothing that was remembered may be believed.
   */
  isLive(): boolean;
  close(): Promise<void>;
}

/** What changes can be watched: API keys, with the key's identifier, and submitted messages. */
export type Topic = "keys" | "messages";

/** Told of a change; of undefined when changes may have been missed. */
export type OnChange = (payload: string | undefined) => void;
