/** 2^53 + 1, the first integer that a JavaScript number cannot hold. */
export const BEYOND = 9007199254740993n;

export interface Place {
  readonly baseUrl: string;
  readonly key: string;
}

/** What came of trying a generated client. */
export interface Findings {
  /** The status of a create. */
  readonly created: number | undefined;
  /** How many of the two animals named by the `id` filter came, or the refusal's code. */
  readonly listedByIds: number | string | undefined;
  /** The `code` of an error, through its type. */
  readonly error: string | undefined;
  /** Whether the Link header's address can be had. */
  readonly hasNextLink: boolean;
  /** A category of 2^53 + 1, which the server has, as this client reads it. */
  readonly read: string;
  /** The identifier of an animal that was sent with that category, or the refusal's code. */
  readonly sent: number | string | undefined;
}
