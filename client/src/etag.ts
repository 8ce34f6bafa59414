/** The `ETag` of each resource that a call returned by itself. */
const tags = new WeakMap<object, string>();

export function rememberTag(resource: unknown, tag: string | null): void {
  if (tag !== null && typeof resource === "object" && resource !== null) tags.set(resource, tag);
}

export function findTag(resource: object): string | undefined {
  return tags.get(resource);
}

/**
 * The `ETag` of a resource in the version that a call returned, for `ifMatch`. Known for resources that a call returned by
 * themselves, and for the item of `pets.list({ ids: [id] })`; not for items of other lists, nor for copies.
 *
 * @throws TypeError if it is unknown: without it, the change would overwrite another one
 */
export function etagOf(resource: object): string {
  const tag = findTag(resource);
  if (tag !== undefined) return tag;
  throw new TypeError(
    "The ETag of this object is not known: give one that a call returned by itself, such as the item of pets.list({ ids: [id] }), not a copy.",
  );
}
