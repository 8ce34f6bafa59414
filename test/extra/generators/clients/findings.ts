/** 2^53 + 1, the first integer that a JavaScript number cannot hold. */
export const BEYOND = 9007199254740993n;

export interface Target {
  readonly baseUrl: string;
  readonly key: string;
}

/** Reads the members of an error. The call compiles only if the generated client declares `code` and `message` for the error. */
export function textOf(error: { readonly code: string; readonly message: string } | undefined) {
  return error && `${error.code}: ${error.message}`;
}

/** Results that a generated API client returned in this test. */
export interface Findings {
  /** The status of the response when the client created an animal. */
  readonly created: number | undefined;
  /** The number of animals in a list that was filtered by two identifiers, or the error code. */
  readonly listedByIds: number | string | undefined;
  /** The `code` and `message` of an error, as the client declares them. */
  readonly error: string | undefined;
  /** The type of the oldest event, read after the type check that docs/guides/first-call.md shows. */
  readonly firstEvent: string | undefined;
  /** True if the client gives access to the `Link` header. */
  readonly hasNextLink: boolean;
  /** The category number 2^53 + 1, as the client reads it. */
  readonly read: string;
  /** The identifier of an animal that this client created in category 2^53 + 1, or the error code. */
  readonly sent: number | string | undefined;
}
