import { type KeyId, keyIdOf } from "../context.ts";
import { unavailable } from "../errors.ts";
import { PAGE_BYTES_MAX } from "../limits.ts";
import { andFinally, type Maybe } from "../platform/maybe.ts";
import { inTurn } from "../platform/turns.ts";
import type { ShareCheck } from "./key-shares.ts";
import type { Connection, RequestContext } from "./request-context.ts";
import { type FileResponseData, isStream, type ResponseData } from "./response.ts";

const UNSENT_BYTES_MAX = 64 * 1024 * 1024; // of responses that clients have not read; large ones are then answered 503
const UNSENT_COUNTED_BYTES = 64 * 1024; // smaller responses are neither counted nor refused
const EXPENSIVE_BYTES = 256 * 1024; // a larger page is an expensive answer of its key until all of it is sent
const PAGES_IN_TURN = 16; // pages that a key reads in turn after each larger one

/** A response that waits to be sent, or a search. Those of sessions, and answers to changes, have no key. */
interface Unsent extends Pick<Connection, "peer"> {
  readonly bytes: number;
  readonly keyId: KeyId;
  readonly isExpensive: boolean;
}

/** A budget for responses that clients have not read, which wait in this process's memory, and for each key's expensive answers. */
export function createUnsentLimit(requireShare: ShareCheck) {
  let responses: Unsent[] = [];
  let total = 0;
  /** Number of pages that a key still reads in turn. */
  const pagesInTurn = new Map<KeyId, number>();

  /** Removes responses without a peer: the runtime reports it until the whole response is with the kernel. */
  function removeSent() {
    responses = responses.filter(({ peer }) => peer() !== undefined);
    total = responses.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Refuses an answer to a key that has its share unsent, by number or by the bytes of as many whole pages. */
  function requireAnswer({ keyId, isExpensive }: Unsent) {
    removeSent();
    const own = responses.filter((response) => response.keyId === keyId);
    const count = isExpensive ? own.filter((response) => response.isExpensive).length : 0;
    const pages = own.reduce((sum, { bytes }) => sum + bytes, 0) / PAGE_BYTES_MAX;
    requireShare("answers", keyId, Math.max(count, pages));
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
      const keyId = request.method === "GET" ? keyIdOf(actor) : undefined;
      const response = { bytes, peer, keyId, isExpensive: bytes > EXPENSIVE_BYTES };
      requireAnswer(response);
      responses.push(response);
      total += bytes;
    },
    /** Runs a search, one of its key's expensive answers. @throws ServiceError `rate_limited` */
    search<Result>(keyId: KeyId, run: () => Maybe<Result>): Maybe<Result> {
      const search = { bytes: 0, keyId, isExpensive: true, peer: () => "" };
      requireAnswer(search);
      responses.push(search);
      return andFinally(run, () => {
        responses = responses.filter((response) => response !== search);
      });
    },
    /** Runs a page's read, in turn if its key has read a large one shortly before: 300 of 1 MiB at once take 2 s. */
    read<Result>(keyId: KeyId, run: () => Maybe<Result>): Maybe<Result> {
      return pagesInTurn.has(keyId) ? inTurn(keyId, run) : run();
    },
    /** Notes the size of a page, also of one that is not sent. */
    noteRead(keyId: KeyId, { body }: ResponseData) {
      const isLarge = keyId !== undefined && (body?.length ?? 0) > EXPENSIVE_BYTES;
      const left = isLarge ? PAGES_IN_TURN : (pagesInTurn.get(keyId) ?? 0) - 1;
      if (left > 0) pagesInTurn.set(keyId, left);
      else pagesInTurn.delete(keyId);
    },
    bytes() {
      removeSent();
      return total;
    },
  };
}

export type UnsentLimit = ReturnType<typeof createUnsentLimit>;
