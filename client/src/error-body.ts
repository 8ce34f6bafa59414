import type { MemberError } from "./errors.ts";

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly members: readonly MemberError[];
}

/**
 * Reads the body of an error response, which is either `{code, message, status}` or Problem Details (RFC 9457). Only Problem
 * Details list the invalid members. Returns undefined for any other value.
 */
export function readErrorBody(value: unknown): ErrorBody | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const body: { readonly [Name in "code" | "message" | "detail" | "errors"]?: unknown } = value;
  const { code, message = body.detail, errors } = body;
  if (typeof code !== "string" || typeof message !== "string") return undefined;
  return { code, message, members: Array.isArray(errors) ? errors.filter(isMemberError) : [] };
}

function isMemberError(value: unknown): value is MemberError {
  if (typeof value !== "object" || value === null) return false;
  const { pointer, detail }: { readonly pointer?: unknown; readonly detail?: unknown } = value;
  return typeof pointer === "string" && typeof detail === "string";
}
