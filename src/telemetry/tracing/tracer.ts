import type { Traceparent } from "./traceparent.ts";

/** Makes the spans of requests (OpenTelemetry). */
export interface Tracer {
  /**
   * Begins a request's span, in the caller's trace or in a new one; undefined when the caller's trace is not sampled.
   *
   * @param now milliseconds since 1970: when the request arrived
   */
  begin(caller: Traceparent | undefined, now: number): RequestTrace | undefined;
  /** Sends the spans that are still queued. */
  close(): Promise<void>;
}

/** One request's span, and those below it. */
export interface RequestTrace {
  readonly traceId: string;
  beginVerb(operationId: string): VerbTrace;
  end(request: TracedRequest): void;
}

export interface VerbTrace {
  /** Begins the span of a statement; returns the function that ends it. */
  beginStatement(sql: string): (isFault: boolean) => void;
  end(): void;
}

/** What a request's span says about it; nothing that a client wrote. */
export interface TracedRequest {
  readonly service: string;
  readonly method: string;
  /** Undefined where no route matches the path. */
  readonly operation: { readonly id: string; readonly method: string; readonly path: string } | undefined;
  readonly status: number;
  readonly requestId: string;
  readonly simulated: boolean | undefined;
}
