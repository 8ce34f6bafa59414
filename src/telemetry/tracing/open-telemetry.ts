import { errorCode } from "../../errors.ts";
import {
  TRACE_BATCH_MAX,
  TRACE_CLOSE_DEADLINE_MS,
  TRACE_DEADLINE_MS,
  TRACE_INTERVAL_MS,
  TRACE_QUEUE_MAX,
} from "../../limits.ts";
import type { RandomBytes } from "../../platform/random.ts";
import type { Logger } from "../logger.ts";
import type { ExporterConfig } from "./exporter-config.ts";
import { encodeSpans } from "./otlp-json.ts";
import { beginRequest, type Span } from "./spans.ts";
import type { Tracer } from "./tracer.ts";

/**
 * Sends spans in batches, in the background. What cannot be delivered waits for the next try, up to a bound; beyond it spans are
 * lost, and never a request.
 */
export function createTracer(
  destination: ExporterConfig,
  randomBytes: RandomBytes,
  log: Pick<Logger, "warn">,
): Tracer {
  let waiting: Span[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> | undefined;
  let isFailing = false;
  let isClosing = false;

  function record(span: Span): void {
    if (waiting.length >= TRACE_QUEUE_MAX) return;
    waiting.push(span);
    if (waiting.length === TRACE_BATCH_MAX) startSending();
    else timer ??= setTimeout(startSending, TRACE_INTERVAL_MS);
  }

  function startSending(): void {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll(TRACE_DEADLINE_MS).finally(() => {
      sending = undefined;
      if (waiting.length > 0 && !isClosing) timer ??= setTimeout(startSending, TRACE_INTERVAL_MS);
    });
  }

  async function sendAll(deadlineMs: number): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, TRACE_BATCH_MAX);
      const problem = await send(destination, batch, deadlineMs);
      tellOnce(problem);
      if (problem?.isPassing) break;
      waiting = waiting.slice(batch.length);
    }
  }

  function tellOnce(problem: Problem | undefined): void {
    if (problem !== undefined && !isFailing) log.warn({ reason: problem.reason }, "spans are not delivered");
    isFailing = problem !== undefined;
  }

  return {
    begin: (caller, now) =>
      caller?.isSampled === false ? undefined : beginRequest(caller, now, randomBytes, record),
    async close() {
      isClosing = true;
      clearTimeout(timer);
      await sending;
      await sendAll(TRACE_CLOSE_DEADLINE_MS);
    },
  };
}

interface Problem {
  readonly reason: string;
  /** Whether the same spans may be taken later. */
  readonly isPassing: boolean;
}

/** Statuses after which the same request may be sent again (OTLP/HTTP, "Failures"). */
const PASSING = new Set([429, 502, 503, 504]);

async function send(
  { url, headers, serviceName }: ExporterConfig,
  spans: readonly Span[],
  deadlineMs: number,
): Promise<Problem | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(encodeSpans(spans, serviceName)),
      redirect: "manual",
      signal: AbortSignal.timeout(deadlineMs),
    });
    await response.body?.cancel();
    return response.ok
      ? undefined
      : { reason: `status ${response.status}`, isPassing: PASSING.has(response.status) };
  } catch (error) {
    return { reason: errorCode(error), isPassing: true };
  }
}
