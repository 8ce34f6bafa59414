/** 2^53 + 1, the first integer that a JavaScript number cannot hold. */
export const BEYOND = 9007199254740993n;

export interface Target {
  readonly baseUrl: string;
  readonly key: string;
}

/** Takes the error as a client types it: one without `message` is not compiled. */
export function textOf(error: { readonly code: string; readonly message: string } | undefined) {
  return error && `${error.code}: ${error.message}`;
}

/** The results of a generated client. */
export interface Findings {
  /** The status of the response to a create. */
  readonly created: number | undefined;
  /** Number of animals that a list with two identifiers in its `id` filter returns, or the error code. */
  readonly listedByIds: number | string | undefined;
  /** The `code` and `message` of an error, read through the client's own type. */
  readonly error: string | undefined;
  /** Type of the oldest event, read after the check of its type that docs/guides/first-call.md shows. */
  readonly firstEvent: string | undefined;
  /** True if the `Link` header is readable. */
  readonly hasNextLink: boolean;
  /** The stored category 2^53 + 1 as this client reads it. */
  readonly read: string;
  /** The identifier of an animal created with that category, or the error code. */
  readonly sent: number | string | undefined;
}
