import { systemClock } from "../../platform/clock.ts";

export const ANSWER_MS = 15_000; // deadline of a request that transfers no file, such as a listing

/** Waits until an object store responds. @throws Error for the operator if the response is late, or is an error */
export async function answered<Result>(request: Promise<Result>, url: string): Promise<Result> {
  const late = new AbortController();
  try {
    return await Promise.race([
      request.catch((error: unknown) => {
        throw explainBucketError(error, url);
      }),
      systemClock.wait(ANSWER_MS, late.signal).then(() => {
        throw new Error(`${url} did not answer within ${ANSWER_MS / 1000} s.`);
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

const REFUSED =
  "refuses access. Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the permissions of this key";
const REASONS: Readonly<Record<string, string>> = {
  NoSuchBucket: "does not exist. Create the bucket, or name another bucket",
  AccessDenied: REFUSED,
  InvalidAccessKeyId: REFUSED,
  SignatureDoesNotMatch: REFUSED,
  ExpiredToken: "says that AWS_SESSION_TOKEN has expired",
  PermanentRedirect: "is in another region. Set AWS_REGION",
  AuthorizationHeaderMalformed: "is in another region. Set AWS_REGION",
  // The response to a HEAD request has no body, so it contains no error code.
  UnknownError:
    "does not answer as expected. Check AWS_ENDPOINT_URL_S3, and the credentials with their permissions",
};

/** Turns an error of the runtime's S3 client into an error that an operator can understand. Other errors are returned unchanged. */
export function explainBucketError(error: unknown, url: string): unknown {
  if (!isS3Error(error)) return error;
  const code = /^\w{1,60}$/.test(error.code) ? error.code : "an error";
  // The original error is not attached as the `cause`, because its text comes from the server, which cannot be trusted.
  return new Error(`${url} ${REASONS[code] ?? `answers ${code}`}.`);
}

/** Returns undefined if an error means that the object does not exist. Throws any other error. */
export function noneIfMissing(error: unknown): undefined {
  if (isS3Error(error) && ["NoSuchKey", "NotFound"].includes(error.code)) return undefined;
  throw error;
}
