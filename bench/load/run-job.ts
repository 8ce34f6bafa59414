import type { Socket } from "bun";
import { type Request, type Target, textOf } from "../request.ts";
import { NUMBER_MARK } from "../works.ts";
import { createAnswerReader } from "./answer-reader.ts";

/** A load on a server. Every connection sends a request, waits for the complete response, and then sends the next request. */
export interface Job {
  readonly target: Target;
  /** Reads counters that only grow, such as CPU time. The benchmark reports the growth of a counter per response. */
  readonly counters: () => Promise<Figures>;
  readonly connections: number;
  /** The number of responses before the measurement begins. */
  readonly warmUp: number;
  readonly responses: number;
  /** The requests that the connections send again and again, in this order. */
  readonly requests: readonly Request[];
}

/** Measured figures, keyed by name. A name includes the unit, such as seconds. */
export type Figures = Readonly<Record<string, number>>;

/** The part of a load that is measured. Connections also send requests before and after it, but those are not counted. */
interface Range {
  readonly next: () => { readonly bytes: Buffer; readonly status: number };
  responses: number;
  /** True if each connection stops after its current response. */
  isOver: boolean;
  /** The number of requests that have not been answered yet. */
  waiting: number;
  readonly fail: (fault: Error) => void;
}

const DEADLINE_MS = 120_000; // the maximum time until all responses of one measurement have arrived
const DRAIN_MS = 5_000;

/**
 * Puts a load on a server, and returns the measured figures. @throws the first fault, such as a response with an unexpected status
 */
export async function runJob(job: Job): Promise<Figures> {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // When the connections are closed at the end, this promise is rejected. That must not count as an unhandled rejection.
  failed.catch(() => undefined);
  const range: Range = { next: cycle(job), responses: 0, isOver: false, waiting: 0, fail };
  const sockets: Socket[] = [];
  try {
    while (sockets.length < job.connections) sockets.push(await connect(job.target, range));
    const measured = await Promise.race([measure(job, range), failed]);
    range.isOver = true;
    // Waits until all requests are answered, because they would slow down the next measurement.
    for (let waited = 0; range.waiting > 0 && waited < DRAIN_MS; waited++) await Bun.sleep(1);
    return measured;
  } finally {
    for (const socket of sockets) socket.terminate();
  }
}

let lastNumber = 0;

function cycle({ target, requests }: Job): Range["next"] {
  const prepared = requests.map((request) => {
    const bytes = Buffer.from(textOf(target, request));
    return { bytes, status: request.status, numberAt: bytes.indexOf(NUMBER_MARK) };
  });
  let at = 0;
  return () => {
    const request = prepared[at];
    if (request === undefined) throw new Error("The job has no requests.");
    at = at + 1 === prepared.length ? 0 : at + 1;
    const { bytes, numberAt } = request;
    if (numberAt >= 0)
      bytes.write(String(++lastNumber).padStart(NUMBER_MARK.length, "0"), numberAt, "latin1");
    return request;
  };
}

async function measure({ counters, warmUp, responses }: Job, range: Range): Promise<Figures> {
  await responsesIn(range, warmUp);
  const before = await counters();
  range.responses = 0;
  const startedAt = performance.now();
  await responsesIn(range, responses);
  const answers = range.responses;
  const seconds = (performance.now() - startedAt) / 1000;
  const growth = Object.entries(await counters()).map(([name, value]) => [name, value - (before[name] ?? 0)]);
  return {
    "requests/s": answers / seconds,
    ...Object.fromEntries(growth.map(([name, value]) => [name, Number(value) / answers])),
  };
}

async function responsesIn(range: Range, count: number): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (range.responses < count) {
    if (performance.now() > deadline)
      throw new Error(`${range.responses} of ${count} responses in ${DEADLINE_MS / 1000} s`);
    await Bun.sleep(1);
  }
}

/** Opens a connection that sends one request after another, each as soon as the previous response is complete. */
function connect({ port }: Target, range: Range): Promise<Socket> {
  const read = createAnswerReader();
  let expected = 0;
  function send(socket: Socket): void {
    const { bytes, status } = range.next();
    expected = status;
    range.waiting++;
    if (socket.write(bytes) !== bytes.length)
      throw new Error("The server does not read requests fast enough.");
  }
  function take(socket: Socket, chunk: Buffer): void {
    const status = read(chunk);
    if (status === 0) return;
    if (status !== expected) throw new Error(`${status}, expected ${expected}: ${chunk.toString()}`);
    range.responses++;
    range.waiting--;
    if (!range.isOver) send(socket);
  }
  return Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: send,
      data: take,
      close: () => range.fail(new Error("The server closed a connection.")),
      error: (_socket, error) => range.fail(error),
    },
  });
}
