import { keyIdOf } from "../context.ts";
import { LAST_EVENT_ID_PATTERN } from "../contract/openapi/headers.ts";
import { ServiceError } from "../errors.ts";
import { ranksAboveJson } from "./accept.ts";
import { type Call, requireActor, requireEndpoint } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";
import { NO_STORE, type ResponseData, type StreamBody } from "./response.ts";

const EVENT_STREAM = "text/event-stream";

/** True if a request asks for an event stream instead of a page. */
export function isFollowing(endpoint: Endpoint | undefined, { headers }: Request): boolean {
  return endpoint?.follow !== undefined && ranksAboveJson(headers.get("accept"), EVENT_STREAM);
}

/**
 * Opens an event stream, which continues until the client disconnects or loses access. Open streams do not count against the
 * concurrency limit.
 */
export async function openStream(call: Call): Promise<ResponseData<StreamBody>> {
  const { request, values, cutOff } = call;
  const actor = requireActor(call);
  const endpoint = requireEndpoint(call);
  const { streams, authenticator, bodyLimits } = call.pipeline;
  const after = readLastEventId(request);
  const source = await endpoint.follow?.(values, after);
  if (source === undefined)
    throw new TypeError(
      `The endpoint of ${endpoint.operation.id} does not define follow(), so it has no event stream.`,
    );
  const { role } = values;
  const reader = {
    id: actor.kind === "session" ? `${actor.sessionId} ${role}` : (keyIdOf(actor) ?? ""),
    cutOff,
    async check() {
      const now = bodyLimits.clock.now();
      const current = await authenticator.revalidate({ ...call, now }, endpoint.operation);
      if (role !== undefined && role !== current)
        throw new ServiceError("forbidden", "Your role has changed.");
    },
  };
  // Checks again that the key has not reached its maximum number of streams, because it may have opened others since the first
  // check. From here on, this stream counts.
  streams.requireRoom(keyIdOf(actor));
  const isSent = request.method !== "HEAD" && call.simulated !== "lost";
  const stream = isSent ? streams.begin(source, reader) : new ReadableStream<Uint8Array>();
  return { status: 200, headers: STREAM_HEADERS, body: { begin: () => stream } };
}

const STREAM_HEADERS = {
  ...NO_STORE,
  "Content-Type": EVENT_STREAM,
  Vary: "Authorization, Accept, Origin",
  // Tells nginx not to buffer the stream.
  "X-Accel-Buffering": "no",
  // Streams end when the service shuts down, so a client must not reuse the connection of a stream.
  Connection: "close",
} as const;

function readLastEventId({ headers }: Request): bigint | undefined {
  const text = headers.get("last-event-id");
  if (text === null) return undefined;
  const id = LAST_EVENT_ID_PATTERN.test(text) ? BigInt.asIntN(64, BigInt(text)) : -1n;
  if (id >= 0n) return id;
  throw new ServiceError("invalid_request", "Last-Event-ID must be the id of an event.");
}
