interface Kept<Value> {
  readonly of: unknown;
  readonly at: number;
  readonly value: Promise<Value>;
}

/**
 * Creates a cache for one value that takes a long time to find. It keeps the value for `lifeMs`. A caller that asks while the
 * value is still being found waits for the same result. A failure is not cached.
 */
export function createKept<Value>(lifeMs: number) {
  let kept: Kept<Value> | undefined;

  /** Returns the cached value. Returns undefined if it is too old, or if it was cached for a different `of`. */
  function get(now: number, of: unknown): Promise<Value> | undefined {
    const isCurrent = kept !== undefined && kept.of === of && Math.abs(now - kept.at) < lifeMs;
    return isCurrent ? kept?.value : undefined;
  }

  return {
    get,
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
