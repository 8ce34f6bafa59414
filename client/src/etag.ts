/**
 * The `ETag` of each resource that a call returned. An item of a list has no `ETag` here, unless the list was requested for a
 * single identifier.
 */
const tags = new WeakMap<object, string>();

export function rememberTag(resource: unknown, tag: string | null): void {
  if (tag !== null && typeof resource === "object" && resource !== null) tags.set(resource, tag);
}

export function findTag(resource: object): string | undefined {
  return tags.get(resource);
}

/**
 * Returns the `ETag` of a resource that a call has returned, for the option `ifMatch`. The resource must be the object that the
 * call returned, or the only item of `pets.list({ ids: [id] })`. Copies, and items of other lists, have no known `ETag`.
 *
 * @throws TypeError if the `ETag` is unknown, because a change without it could overwrite somebody else's change
 */
export function etagOf(resource: object): string {
  const tag = findTag(resource);
  if (tag !== undefined) return tag;
  throw new TypeError(
    "This object has no known ETag. Pass the object that the client returned for a single resource, not a copy of it.",
  );
}
