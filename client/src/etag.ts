/** The `ETag` of each resource that a call has returned, except as an item of a list. */
const tags = new WeakMap<object, string>();

export function rememberTag(resource: unknown, tag: string | null): void {
  if (tag !== null && typeof resource === "object" && resource !== null) tags.set(resource, tag);
}

export function findTag(resource: object): string | undefined {
  return tags.get(resource);
}

/**
 * The `ETag` of a resource as a call returned it, for the option `ifMatch`. It is known for a resource that was the whole
 * response, and for the only item of `pets.list({ ids: [id] })`; unknown for items of other lists, and for copies.
 *
 * @throws TypeError if it is unknown, because a change without it could overwrite somebody else's
 */
export function etagOf(resource: object): string {
  const tag = findTag(resource);
  if (tag !== undefined) return tag;
  throw new TypeError(
    "The ETag of this object is not known: give one that a call returned by itself, such as the item of pets.list({ ids: [id] }), not a copy.",
  );
}
