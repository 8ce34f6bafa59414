/** The `ETag` of each resource that a call has returned, unless it was one of several items in a list. */
const tags = new WeakMap<object, string>();

export function rememberTag(resource: unknown, tag: string | null): void {
  if (tag !== null && typeof resource === "object" && resource !== null) tags.set(resource, tag);
}

export function findTag(resource: object): string | undefined {
  return tags.get(resource);
}

/**
 * Returns the `ETag` of a resource that a call has returned, for the option `ifMatch`. It is known if the resource was the whole
 * response, or the only item of `pets.list({ ids: [id] })`. It is unknown for items of other lists, and for copies.
 *
 * @throws TypeError if it is unknown, because a change without an `ETag` could overwrite somebody else's change
 */
export function etagOf(resource: object): string {
  const tag = findTag(resource);
  if (tag !== undefined) return tag;
  throw new TypeError(
    "The ETag of this object is unknown. Pass the object that a call for one resource returned, not a copy.",
  );
}
