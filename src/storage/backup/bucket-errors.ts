import { systemClock } from "../../platform/clock.ts";

const ANSWER_MS = 15_000; // deadline of a request without contents

/** Waits for an answer of a bucket. @throws Error for the operator: it is late, or was refused */
export async function answered<Result>(request: Promise<Result>, url: string): Promise<Result> {
  const late = new AbortController();
  try {
    return await Promise.race([
      request.catch((error: unknown) => {
        throw explainBucketError(error, url);
      }),
      systemClock.wait(ANSWER_MS, late.signal).then(() => {
        throw new Error(`${url} does not answer within ${ANSWER_MS / 1000} s.`);
      }),
    ]);
  } finally {
    late.abort();
  }
}

interface S3Error extends Error {
  readonly code: string;
}

function isS3Error(error: unknown): error is S3Error {
  return error instanceof Error && error.name === "S3Error" && "code" in error;
}

const REFUSED = "refuses these keys. Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what they may do";
const REASONS: Readonly<Record<string, string>> = {
  NoSuchBucket: "has no such bucket. Create it, or name another one",
  AccessDenied: REFUSED,
  InvalidAccessKeyId: REFUSED,
  SignatureDoesNotMatch: REFUSED,
  ExpiredToken: "says that AWS_SESSION_TOKEN has expired",
  PermanentRedirect: "is in another region. Set AWS_REGION",
  AuthorizationHeaderMalformed: "is in another region. Set AWS_REGION",
  // The answer to HEAD has no code.
  UnknownError:
    "does not answer as expected. Check AWS_ENDPOINT_URL_S3, and the credentials with their permissions",
};

/** An error of the runtime's client in words for the operator; others unchanged. */
export function explainBucketError(error: unknown, url: string): unknown {
  if (!isS3Error(error)) return error;
  const code = /^\w{1,60}$/.test(error.code) ? error.code : "an error";
  // No cause: its text is what the store, or whoever answers in its place, has sent.
  return new Error(`${url} ${REASONS[code] ?? `answers ${code}`}.`);
}

/** Undefined for the error of an object that is not there; throws others. */
export function noneIfMissing(error: unknown): undefined {
  if (isS3Error(error) && ["NoSuchKey", "NotFound"].includes(error.code)) return undefined;
  throw error;
}
