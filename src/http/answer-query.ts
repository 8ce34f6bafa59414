import { andThen } from "../platform/maybe.ts";
import type { Database, DataVersion } from "../storage/database.ts";
import type { Charge } from "./rate-limit.ts";
import { applyIfNoneMatch, withEntityTag } from "./response.ts";
import type { ResponseCache } from "./response-cache.ts";
import { runVerb, type VerbCall } from "./run-verb.ts";
import type { Responding } from "./steps.ts";

/** A request that only reads. */
export interface QueryCall extends VerbCall {
  readonly pipeline: VerbCall["pipeline"] & {
    readonly database: Database;
    /** Absent where responses must not be cached. */
    readonly responseCache?: ResponseCache;
  };
  /** Of the data when the request arrived, or later; undefined where its response is not to be cached. */
  readonly version: DataVersion | undefined;
  readonly charge: Charge | undefined;
}

/** Reads, and caches the response while it is on its way. */
export function answerQuery(call: QueryCall, values: Readonly<Record<string, unknown>>): Responding {
  const { pipeline, context, endpoint, version, charge } = call;
  const { database, responseCache } = pipeline;
  const readAt = version === undefined ? undefined : database.versions.readAt?.(version);
  const found = andThen(runVerb(call, values, readAt ?? database.read), (response) =>
    withEntityTag(response, endpoint.operation, values),
  );
  if (version !== undefined) responseCache?.set(context.request.url, context.now, version, found);
  return andThen(found, (response) => {
    const answered = applyIfNoneMatch(response, context.request);
    // A 304 costs no quota.
    if (charge !== undefined && answered.status === 304) Object.assign(context.headers, charge.refund());
    return answered;
  });
}
