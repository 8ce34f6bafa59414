interface Kept<Value> {
  readonly of: unknown;
  readonly at: number;
  readonly value: Promise<Value>;
}

/**
 * Creates a cache for one value that takes long to find. The value is cached for `lifeMs`. If a caller requests the value while it
 * is still being found, the caller waits for that same attempt. A failure is not cached.
 */
export function createKept<Value>(lifeMs: number) {
  let kept: Kept<Value> | undefined;

  /** @param of identifies the source of the value; a value from another source is not returned */
  function get(now: number, of: unknown): Promise<Value> | undefined {
    const isCurrent = kept !== undefined && kept.of === of && Math.abs(now - kept.at) < lifeMs;
    return isCurrent ? kept?.value : undefined;
  }

  return {
    get,
    /** Returns the cached value, or finds it. */
    find(now: number, of: unknown, find: () => Promise<Value>): Promise<Value> {
      const current = get(now, of);
      if (current !== undefined) return current;
      const finding: Kept<Value> = { of, at: now, value: find() };
      kept = finding;
      finding.value.catch(() => {
        if (kept === finding) kept = undefined;
      });
      return finding.value;
    },
  };
}
