// What is told of whatever was thrown.

/** Its own sentence. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What kind it is, such as `ECONNREFUSED` or `TimeoutError`, for where its sentence may hold a secret. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
