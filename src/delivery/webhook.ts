import { createHmac } from "node:crypto";
import querystring from "node:querystring";
import packageJson from "../../package.json" with { type: "json" };
import type { PrivateDestinations } from "../config/values.ts";
import { writeJson } from "../contract/json/json.ts";
import { DELIVERY_TIMEOUT_MS } from "../limits.ts";
import { type ClaimedMessage, keepWebhookSecret } from "../messages/store.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { Database } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { createWebhookSecret } from "../webhooks/secret.ts";
import { findAddresses, post, type Resolve, readStatus, requirePublic } from "./destination.ts";
import type { Answer } from "./source.ts";

/** Delivers one message. Rejects if the destination cannot be reached; the worker counts a rejection as a refusal. */
export type Deliver = (message: ClaimedMessage, now: number, signal: AbortSignal) => Promise<Answer>;

/**
 * Reports a message as delivered without sending it. This is used if no webhook is configured: people then read the messages in the
 * console.
 */
export const deliverToInbox: Deliver = async () => ({ outcome: "delivered" });

interface DestinationRule {
  readonly privateDestinations: PrivateDestinations;
  /** The name of the setting that allows private destinations, for error messages. */
  readonly setting: string;
  readonly resolve?: Resolve | undefined;
}

interface Webhook extends Omit<DestinationRule, "setting"> {
  readonly url: string;
  /** The secret that is used to sign deliveries: `whsec_` followed by 24 to 64 bytes in base64. */
  readonly secret: string;
}

export function deliverToWebhook({ url, secret, ...rule }: Webhook): Deliver {
  return ({ id, message, createdAt, environment, traceparent }, now, stop) => {
    const data = { id, message, createdAt, environment };
    const body = writeJson({ type: "message.submitted", timestamp: createdAt, data });
    const setting = "PETSTORE_MESSAGES_WEBHOOK_PRIVATE";
    return postSigned({ url, secrets: [secret], id, body, traceparent }, { ...rule, setting }, now, stop);
  };
}

interface SignedMessage {
  readonly url: string;
  readonly secrets: readonly string[];
  /** The identifier of the message, which is the same in every attempt. */
  readonly id: string;
  readonly body: string;
  /** The `traceparent` header of the request that caused the delivery. */
  readonly traceparent?: string | undefined;
}

/**
 * Posts a message with a signature according to Standard Webhooks. The host name is resolved once for each attempt, and the
 * connection uses only the addresses that were checked, even if the name later resolves to other addresses (DNS rebinding).
 *
 * @param now the current time, in milliseconds since 1970
 */
export async function postSigned(
  { url, secrets, id, body, traceparent }: SignedMessage,
  { privateDestinations, setting, resolve }: DestinationRule,
  now: number,
  stop: AbortSignal,
): Promise<Answer> {
  const target = new URL(url);
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": `petstore/${packageJson.version}`,
    ...authorizationOf(target),
    ...signatureHeaders(secrets, id, now, body),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
  const signal = AbortSignal.any([stop, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)]);
  const addresses = await findAddresses(target, signal, resolve);
  if (privateDestinations === "refuse") requirePublic(addresses, setting);
  const status = await readStatus(await post(target, addresses, { headers, body, signal }));
  const isTaken = status >= 200 && status <= 299;
  return { outcome: isTaken ? "delivered" : status === 410 ? "gone" : "refused", status };
}

/**
 * Builds an `Authorization` header from the user name and password in the URL (RFC 7617). Returns no header if the URL has neither.
 */
function authorizationOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "" && password === "") return {};
  const credentials = `${querystring.unescape(username)}:${querystring.unescape(password)}`;
  return { Authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}

/**
 * Builds the headers of Standard Webhooks. There is one signature for each secret: the HMAC-SHA256 of `id.timestamp.body`.
 *
 * @param secrets one or two secrets, each of which is `whsec_` followed by 24 to 64 bytes in base64
 * @param now the time of this attempt, in milliseconds since 1970
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  now: number,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

/**
 * Returns the secret that signs deliveries if the settings contain none. The secret is created when it is first needed, and is
 * stored with the messages.
 */
export async function keptWebhookSecret(database: Database, randomBytes: RandomBytes): Promise<string> {
  return singleRow(await database.run(keepWebhookSecret, [createWebhookSecret(randomBytes)]));
}
