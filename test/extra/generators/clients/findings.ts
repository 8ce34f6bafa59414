/** 2^53 + 1, the first integer that a JavaScript number cannot hold. */
export const BEYOND = 9007199254740993n;

export interface Target {
  readonly baseUrl: string;
  readonly key: string;
}

/** Reads the members of an error. A call compiles only if the client's type for the error declares `code` and `message`. */
export function textOf(error: { readonly code: string; readonly message: string } | undefined) {
  return error && `${error.code}: ${error.message}`;
}

/** The results that a generated client returned. */
export interface Findings {
  /** The status of the response to the request that creates an animal. */
  readonly created: number | undefined;
  /** The number of animals in a list that is filtered by two identifiers, or the error code. */
  readonly listedByIds: number | string | undefined;
  /** The `code` and `message` of an error, read through the client's own type. */
  readonly error: string | undefined;
  /** The type of the oldest event, read after the type check that docs/guides/first-call.md shows. */
  readonly firstEvent: string | undefined;
  /** True if the `Link` header is readable. */
  readonly hasNextLink: boolean;
  /** The stored category number 2^53 + 1, as this client reads it. */
  readonly read: string;
  /** The identifier of an animal that this client created in category 2^53 + 1, or the error code. */
  readonly sent: number | string | undefined;
}
