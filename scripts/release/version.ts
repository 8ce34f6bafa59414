/** Parses `1.2.3` (Semantic Versioning 2.0.0 §2); else undefined. */
export function readVersion(text: string): readonly [bigint, bigint, bigint] | undefined {
  const [, ...numbers] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(text) ?? [];
  const [major, minor, patch] = numbers.map(BigInt);
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  return [major, minor, patch];
}

/** Negative when `one` precedes `other` (§11). */
export function compareVersions(one: string, other: string): number {
  const [ours, theirs] = [one, other].map((text) => readVersion(text) ?? []);
  for (const [index, number] of (ours ?? []).entries()) {
    const against = theirs?.[index] ?? 0n;
    if (number !== against) return number < against ? -1 : 1;
  }
  return 0;
}
