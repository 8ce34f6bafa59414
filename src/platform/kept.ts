interface Kept<Value> {
  readonly of: unknown;
  readonly at: number;
  readonly value: Promise<Value>;
}

/**
 * Keeps a value that is slow to find for `lifeMs`, for everybody who asks for it until then. Whoever asks while it is being found
 * waits for the same attempt. A failure is not kept.
 */
export function createKept<Value>(lifeMs: number) {
  let kept: Kept<Value> | undefined;
  return {
    /** @param of identifies what the value was found in: the value of another one is not returned */
    get(now: number, of: unknown): Promise<Value> | undefined {
      const isCurrent = kept !== undefined && kept.of === of && Math.abs(now - kept.at) < lifeMs;
      return isCurrent ? kept?.value : undefined;
    },
    find(now: number, of: unknown, find: () => Promise<Value>): Promise<Value> {
      const finding: Kept<Value> = { of, at: now, value: find() };
      kept = finding;
      finding.value.catch(() => {
        if (kept === finding) kept = undefined;
      });
      return finding.value;
    },
  };
}
