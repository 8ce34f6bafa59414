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

/** Exports spans in batches, in the background. A batch that fails is sent again; spans beyond `TRACE_QUEUE_MAX` are dropped. */
export function createTracer(
  exporter: ExporterConfig,
  randomBytes: RandomBytes,
  log: Pick<Logger, "warn">,
): Tracer {
  let queue: Span[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> | undefined;
  let isFailing = false;
  let isClosing = false;

  function record(span: Span): void {
    if (queue.length >= TRACE_QUEUE_MAX) return;
    queue.push(span);
    if (queue.length === TRACE_BATCH_MAX) startSending();
    else timer ??= setTimeout(startSending, TRACE_INTERVAL_MS);
  }

  function startSending(): void {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll(TRACE_DEADLINE_MS).finally(() => {
      sending = undefined;
      if (queue.length > 0 && !isClosing) timer ??= setTimeout(startSending, TRACE_INTERVAL_MS);
    });
  }

  async function sendAll(deadlineMs: number): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, TRACE_BATCH_MAX);
      const problem = await send(exporter, batch, deadlineMs);
      warnOnce(problem);
      if (problem?.isTransient) break;
      queue = queue.slice(batch.length);
    }
  }

  function warnOnce(problem: Problem | undefined): void {
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
  /** Whether the same batch may succeed later. */
  readonly isTransient: boolean;
}

/** Statuses after which the same request may be sent again (OTLP/HTTP, "Failures"). */
const RETRYABLE = new Set([429, 502, 503, 504]);

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
      : { reason: `status ${response.status}`, isTransient: RETRYABLE.has(response.status) };
  } catch (error) {
    return { reason: errorCode(error), isTransient: true };
  }
}
