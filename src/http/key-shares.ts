import type { KeyId } from "../context.ts";
import { ServiceError } from "../errors.ts";

/**
 * Limits how much of a process's capacity one API key may use. Each limit consists of a maximum and of texts for the error message.
 */
export const KEY_SHARES = {
  streams: [100, "open event streams", "Close a stream, or use a single stream for all events."],
  requests: [256, "requests in progress", "Wait for a response before you send the next request."],
  searches: [8, "searches in progress", "Wait for a response before you send the next request."],
  unread: [32, "MiB of unread responses", "Read a response to its end, or use a smaller limit."],
} as const;

/**
 * Creates a function that checks whether a key may use more of the process's capacity, for example whether it may open another
 * stream.
 *
 * @param onRefused called for each refused request
 */
export function createShareCheck(onRefused: (share: keyof typeof KEY_SHARES) => void) {
  return (share: keyof typeof KEY_SHARES, keyId: KeyId, held: number) => {
    const [max, what, advice] = KEY_SHARES[share];
    if (keyId === undefined || held < max) return;
    onRefused(share);
    const message = `This API key already has ${max} ${what}, which is the maximum. ${advice}`;
    throw new ServiceError("rate_limited", message, { headers: { "Retry-After": "1" } });
  };
}

/** @throws ServiceError `rate_limited`, with `Retry-After`, if the key already uses its whole share */
export type ShareCheck = ReturnType<typeof createShareCheck>;
