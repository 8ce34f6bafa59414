import type { Operation } from "../../contract/operation.ts";
import type { Query } from "../../storage/database.ts";
import type { Traceparent } from "./traceparent.ts";

/** What is measured of requests for whoever follows them across services (OpenTelemetry). */
export interface Tracer {
  /**
   * Begins a request's span, as part of the caller's trace or of a new one; undefined when the caller's is not recorded.
   *
   * @param now milliseconds since 1970: when the request came in
   */
  begin(caller: Traceparent | undefined, now: number): RequestTrace | undefined;
  /** Sends what is still here. */
  close(): Promise<void>;
}

/** One request's span, and those below it. */
export interface RequestTrace {
  readonly traceId: string;
  beginVerb(operation: string): VerbTrace;
  end(request: TracedRequest): void;
}

export interface VerbTrace {
  /** The same, and each statement has a span: its text, never its values. */
  traced(query: Query): Query;
  end(): void;
}

/** What a request's span tells of it; nothing that a client wrote. */
export interface TracedRequest {
  readonly service: string;
  readonly method: string;
  /** Undefined where nobody serves the path. */
  readonly operation: Operation | undefined;
  readonly status: number;
  readonly requestId: string;
}
