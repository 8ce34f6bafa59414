import { unavailable } from "../errors.ts";
import type { Connection, RequestContext } from "./request-context.ts";
import { type FileResponseData, isStream } from "./response.ts";

const UNSENT_BYTES_MAX = 64 * 1024 * 1024; // of responses that clients have not read; large ones are then answered 503
const UNSENT_COUNTED_BYTES = 64 * 1024; // smaller responses are neither counted nor refused

/** A budget for responses that clients have not read: they wait in this process's memory. */
export function createUnsentLimit() {
  let responses: (Pick<Connection, "peer"> & { readonly bytes: number })[] = [];
  let total = 0;

  /** Removes responses without a peer: the runtime reports it until the whole response is with the kernel. */
  function removeSent() {
    responses = responses.filter(({ peer }) => peer() !== undefined);
    total = responses.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  return {
    /**
     * Counts a response until all of it is with the kernel, or its client is gone.
     *
     * @throws ServiceError `unavailable`, with `Retry-After`, for a large response to a GET that does not fit
     */
    add({ body }: FileResponseData, { request, peer }: RequestContext) {
      // A stream buffers only what its connection is taking.
      const bytes = body === null || isStream(body) ? 0 : body.length;
      if (bytes < UNSENT_COUNTED_BYTES || request.method === "HEAD") return;
      if (total + bytes > UNSENT_BYTES_MAX) removeSent();
      if (request.method === "GET" && total > 0 && total + bytes > UNSENT_BYTES_MAX)
        throw unavailable("Too many large responses wait to be read. Try again, or ask for less at once.");
      responses.push({ bytes, peer });
      total += bytes;
    },
    bytes() {
      removeSent();
      return total;
    },
  };
}

export type UnsentLimit = ReturnType<typeof createUnsentLimit>;
