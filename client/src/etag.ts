/** The `ETag` of every resource that a call has shown by itself. */
const tags = new WeakMap<object, string>();

export function rememberTag(resource: unknown, tag: string | null): void {
  if (tag !== null && typeof resource === "object" && resource !== null) tags.set(resource, tag);
}

export function findTag(resource: object): string | undefined {
  return tags.get(resource);
}

/**
 * The `ETag` of a resource as it was when a call returned it, for `ifMatch`. Known of what a call returns by itself, and of the item
 * of `pets.list({ ids: [id] })`; not of an item of another list, nor of a copy.
 *
 * @throws TypeError where it is not known: without it the change would overwrite another one
 */
export function etagOf(resource: object): string {
  const tag = findTag(resource);
  if (tag !== undefined) return tag;
  throw new TypeError(
    "The ETag of this object is not known: give one that a call returned by itself, such as the item of pets.list({ ids: [id] }), not a copy.",
  );
}

/**
 * The tag without the `W/` of a proxy that compresses: `If-Match` compares strongly (RFC 9110 §13.1.1).
 *
 * @throws TypeError
 */
export function readIfMatch(tag: string): string {
  const strong = tag.replace(/^W\//, "");
  if (/^(?:\*|"[!#-~]*")$/.test(strong)) return strong;
  throw new TypeError('ifMatch must be an ETag in its quotes, such as etagOf returns, or "*".');
}
