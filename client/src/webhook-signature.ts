// Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body`, in base64.

/**
 * A `Headers` object, or an object with names and values, such as the one that `node:http` provides. Names may be in upper or
 * lower case.
 */
export type WebhookHeaders = Headers | HeaderRecord;
type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Thrown if a request is not a genuine delivery of this webhook. Respond with 400, and ignore the request. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

interface Verification {
  /** The webhook's valid secrets: one, or two while the secret is being rotated. The delivery must be signed with one of them. */
  readonly secrets: readonly string[];
  /** Maximum difference between a delivery's time and `now`, in milliseconds. */
  readonly toleranceMs: number;
  readonly now: number;
}

/**
 * Verifies the signature and the time of a delivery.
 *
 * @throws WebhookVerificationError if the signature or the time is wrong
 * @throws TypeError for a secret that is not `whsec_` followed by base64
 */
export async function verifySignature(
  headers: WebhookHeaders,
  body: Uint8Array,
  { secrets, toleranceMs, now }: Verification,
): Promise<void> {
  if (secrets.length === 0) throw secretError();
  const keys = secrets.map(readSecret);
  const id = readHeader(headers, "webhook-id");
  const timestamp = readHeader(headers, "webhook-timestamp");
  const signatures = readHeader(headers, "webhook-signature").split(" ");
  requireRecent(timestamp, toleranceMs, now);
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  const expected = await Promise.all(keys.map((key) => sign(key, signed)));
  // Every signature is compared completely with every expected signature, so that the time taken does not reveal which pair
  // matches.
  const pairs = expected.flatMap((one) => signatures.map((other) => isSame(one, other)));
  if (!pairs.includes(true))
    throw new WebhookVerificationError(
      "The signature is wrong: either the secret belongs to another webhook, or the body was changed after it was sent.",
    );
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : findHeader(headers, name);
  if (typeof value === "string" && value !== "") return value;
  throw new WebhookVerificationError(`The header ${name} is missing, so this is not a webhook delivery.`);
}

/** True for a `Headers` object. `instanceof` is not used, because some libraries have their own class of `Headers`. */
function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === "function";
}

function findHeader(headers: HeaderRecord, name: string): string | undefined {
  const [, value] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? [];
  // `node:http` returns a repeated header as an array, whose values form one list (RFC 9110 §5.3).
  return typeof value === "object" ? value.join(" ") : value;
}

function requireRecent(timestamp: string, toleranceMs: number, now: number): void {
  if (!/^[0-9]{1,15}$/.test(timestamp)) throw timestampError("not a number");
  const ageMs = now - Number(timestamp) * 1000;
  if (Math.abs(ageMs) <= toleranceMs) return;
  throw timestampError(ageMs > 0 ? "too old" : "in the future");
}

function timestampError(what: string): WebhookVerificationError {
  return new WebhookVerificationError(
    `webhook-timestamp is ${what}: the delivery may be a replay, or the clock of this machine is wrong.`,
  );
}

function readSecret(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = typeof secret === "string" ? fromBase64(secret.replace(/^whsec_/, "")) : undefined;
  if (bytes !== undefined && bytes.length > 0) return bytes;
  throw secretError();
}

function secretError(): TypeError {
  return new TypeError(`The argument "secret" must be the webhook's secret: whsec_ followed by base64.`);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

async function sign(key: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", imported, signed));
  return `v1,${btoa(String.fromCharCode(...digest))}`;
}

/** Compares two signatures in constant time, unless their lengths differ. */
function isSame(expected: string, given: string): boolean {
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at++) difference |= expected.charCodeAt(at) ^ given.charCodeAt(at);
  return difference === 0;
}
