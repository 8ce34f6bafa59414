import { type Actor, keyIdOf } from "../context.ts";
import { unavailable } from "../errors.ts";
import type { ShareCheck } from "./key-shares.ts";
import { type FileResponseData, isStream } from "./response.ts";

const UNSENT_BYTES_MAX = 64 * 1024 * 1024; // maximum number of bytes in responses that clients have not read yet; above it, requests for large responses are refused with 503
const UNSENT_COUNTED_BYTES = 64 * 1024; // size of the smallest response that is counted, in bytes; smaller responses are never refused
const MIB = 1024 * 1024;

/** A request whose response counts against the limit of unsent bytes. */
interface Counted {
  readonly request: Request;
  readonly peer: () => string | undefined;
  readonly actor: Actor | undefined;
}

interface Unsent extends Pick<Counted, "peer"> {
  readonly bytes: number;
  /**
   * Identifier of the API key that sent the GET request. Undefined for a session's request, and for a change, because the response
   * to a change is never refused.
   */
  readonly keyId: string | undefined;
}

/**
 * Creates a limit for the total size of responses that clients have not read yet, because such responses wait in this process's
 * memory. One API key may use half of the limit.
 */
export function createUnsentLimit(requireShare: ShareCheck) {
  let responses: Unsent[] = [];
  let total = 0;

  /**
   * Removes the responses that the runtime has handed to the kernel completely. The runtime no longer reports a peer for the
   * connections of such responses.
   */
  function removeSent() {
    responses = responses.filter(({ peer }) => peer() !== undefined);
    total = responses.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  return {
    /**
     * Counts a response until the runtime has handed it to the kernel completely, or the client has disconnected.
     *
     * @throws ServiceError `unavailable`, with `Retry-After`, if the limit is reached, and the response is a large response to a
     *   GET; `rate_limited` if the key already uses its whole share
     */
    add({ body }: FileResponseData, { request, peer, actor }: Counted) {
      // A stream is not counted, because the service buffers only as much of a stream as the connection accepts.
      if (body === null || isStream(body) || request.method === "HEAD") return;
      const bytes = body.length < UNSENT_COUNTED_BYTES ? 0 : Buffer.byteLength(body);
      if (bytes === 0) return;
      const keyId = request.method === "GET" ? keyIdOf(actor) : undefined;
      removeSent();
      if (request.method === "GET" && total > 0 && total + bytes > UNSENT_BYTES_MAX)
        throw unavailable(
          "Too many large responses have not been read by the clients yet. Try again, or request smaller pages.",
        );
      const own = responses.filter((response) => response.keyId === keyId);
      requireShare("unread", keyId, own.reduce((sum, response) => sum + response.bytes, 0) / MIB);
      responses.push({ bytes, peer, keyId });
      total += bytes;
    },
    bytes() {
      removeSent();
      return total;
    },
  };
}

export type UnsentLimit = ReturnType<typeof createUnsentLimit>;
