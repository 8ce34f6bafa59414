import type { Socket } from "bun";
import { cpuMicros, machineMicros } from "../process-usage.ts";
import { createAnswerReader } from "./answer-reader.ts";
import { cycleRequests } from "./cycle-requests.ts";
import { createHistogram } from "./histogram.ts";
import type { Job, Measured, Outcome } from "./job.ts";

/** Connections stay busy before and after the measured interval; only responses within it are counted. */
interface Range {
  readonly next: ReturnType<typeof cycleRequests>;
  latencies: ReturnType<typeof createHistogram>;
  /** Connections stop after their current response. */
  isOver: boolean;
  readonly fail: (fault: string) => void;
}

interface Connection {
  readonly socket: Socket;
  /** Resolves after the last response. */
  readonly finished: Promise<void>;
}

const DRAIN_MS = 5_000;

/** The first fault ends the job. */
export async function runJob(job: Job): Promise<Outcome> {
  const { promise: failed, resolve: fail } = Promise.withResolvers<string>();
  const range: Range = {
    next: cycleRequests(job.requests),
    latencies: createHistogram(),
    isOver: false,
    fail,
  };
  const connections: Connection[] = [];
  try {
    for (let count = 0; count < job.connections; count++) connections.push(await connect(job.port, range));
    const measured = await Promise.race([measure(job, range), failed.then(throwFault)]);
    range.isOver = true;
    // Requests in progress must not run into the next job.
    await Promise.race([Promise.all(connections.map(({ finished }) => finished)), Bun.sleep(DRAIN_MS)]);
    return { measured };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  } finally {
    range.isOver = true;
    for (const { socket } of connections) socket.terminate();
  }
}

function throwFault(fault: string): never {
  throw new Error(fault);
}

async function measure({ pid, warmUpMs, measureMs }: Job, range: Range): Promise<Measured> {
  await Bun.sleep(warmUpMs);
  range.latencies = createHistogram();
  const { latencies } = range;
  const startedAt = performance.now();
  const serverBefore = cpuMicros(pid);
  const machineBefore = machineMicros();
  const generatorBefore = process.cpuUsage();
  await Bun.sleep(measureMs);
  const answers = latencies.count();
  const wallMicros = (performance.now() - startedAt) * 1000;
  const serverCpuMicros = cpuMicros(pid) - serverBefore;
  const { user, system } = process.cpuUsage(generatorBefore);
  const generatorCpuMicros = user + system;
  const otherCpuMicros = machineMicros() - machineBefore - serverCpuMicros - generatorCpuMicros;
  if (answers === 0) throw new Error("No response arrived during the measurement.");
  return {
    answers,
    wallMicros,
    serverCpuMicros,
    generatorCpuMicros,
    otherCpuMicros: Math.max(0, otherCpuMicros),
    p50Micros: latencies.quantile(0.5),
    p99Micros: latencies.quantile(0.99),
  };
}

/** A connection that sends a request at once, and the next after each complete response. */
async function connect(port: number, range: Range): Promise<Connection> {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const read = createAnswerReader();
  let expected = 0;
  let sentAt = 0;

  function ask(socket: Socket): void {
    if (range.isOver) {
      finish();
      return;
    }
    const { bytes, status } = range.next();
    expected = status;
    sentAt = performance.now();
    if (socket.write(bytes) !== bytes.length) range.fail("The server does not read requests fast enough.");
  }
  function take(socket: Socket, chunk: Buffer): void {
    const status = read(chunk);
    if (status === 0) return;
    if (status !== expected) throw new Error(`${status}, expected ${expected}: ${chunk.toString()}`);
    range.latencies.add((performance.now() - sentAt) * 1000);
    ask(socket);
  }
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: ask,
      data(socket, chunk) {
        try {
          take(socket, chunk);
        } catch (error) {
          range.fail(String(error));
        }
      },
      close: () => range.fail("The server closed a connection."),
      error: (_socket, error) => range.fail(String(error)),
    },
  });
  return { socket, finished };
}
