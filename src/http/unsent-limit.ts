import { unavailable } from "../errors.ts";
import { andFinally, type Maybe } from "../platform/maybe.ts";
import { inTurn } from "../platform/turns.ts";
import { type KeyId, keyIdOf, type ShareCheck } from "./key-shares.ts";
import type { Connection, RequestContext } from "./request-context.ts";
import { type FileResponseData, isStream } from "./response.ts";

const UNSENT_BYTES_MAX = 64 * 1024 * 1024; // of responses that clients have not read; large ones are then answered 503
const UNSENT_COUNTED_BYTES = 64 * 1024; // smaller responses are neither counted nor refused
const EXPENSIVE_BYTES = 256 * 1024; // a larger page is an expensive answer of its key until all of it is sent

/** A budget for responses that clients have not read, which wait in this process's memory, and for each key's expensive answers. */
export function createUnsentLimit(requireShare: ShareCheck) {
  let responses: (Pick<Connection, "peer"> & { readonly bytes: number; readonly keyId?: KeyId })[] = [];
  let total = 0;

  /** Removes responses without a peer: the runtime reports it until the whole response is with the kernel. */
  function removeSent() {
    responses = responses.filter(({ peer }) => peer() !== undefined);
    total = responses.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  function requireAnswer(keyId: KeyId) {
    removeSent();
    requireShare("answers", keyId, responses.filter((response) => response.keyId === keyId).length);
  }

  return {
    /**
     * Counts a response until all of it is with the kernel, or its client is gone.
     *
     * @throws ServiceError `unavailable`, with `Retry-After`, for a large response to a GET that does not fit; `rate_limited`
     */
    add({ body }: FileResponseData, { request, peer, actor }: RequestContext) {
      // A stream buffers only what its connection is taking.
      if (body === null || isStream(body) || request.method === "HEAD") return;
      const bytes = body.length < UNSENT_COUNTED_BYTES ? 0 : Buffer.byteLength(body);
      if (bytes === 0) return;
      if (total + bytes > UNSENT_BYTES_MAX) removeSent();
      if (request.method === "GET" && total > 0 && total + bytes > UNSENT_BYTES_MAX)
        throw unavailable("Too many large responses wait to be read. Try again, or ask for less at once.");
      const keyId = request.method === "GET" && bytes > EXPENSIVE_BYTES ? keyIdOf(actor) : undefined;
      if (keyId !== undefined) requireAnswer(keyId);
      responses.push({ bytes, peer, keyId });
      total += bytes;
    },
    /** Runs a search, one of its key's expensive answers. @throws ServiceError `rate_limited` */
    search<Result>(keyId: KeyId, run: () => Maybe<Result>): Maybe<Result> {
      requireAnswer(keyId);
      const search = { bytes: 0, keyId, peer: () => "" };
      responses.push(search);
      return andFinally(run, () => {
        responses = responses.filter((response) => response !== search);
      });
    },
    /** Runs a page's read, in a turn of its own if its key has expensive answers: 300 of 1 MiB at once take 2 s. */
    read<Result>(keyId: KeyId, run: () => Maybe<Result>): Maybe<Result> {
      if (keyId === undefined || !responses.some((response) => response.keyId === keyId)) return run();
      return inTurn(() => {
        removeSent();
        return run();
      });
    },
    bytes() {
      removeSent();
      return total;
    },
  };
}

export type UnsentLimit = ReturnType<typeof createUnsentLimit>;
