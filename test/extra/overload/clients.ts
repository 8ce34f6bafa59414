// Clients in a separate process, so that they measure the server and not themselves.
import type { Socket } from "bun";
import { createAnswerReader } from "../../../bench/load/answer-reader.ts";
import { quantile } from "../../../bench/statistics.ts";

export interface Load {
  readonly port: number;
  readonly key: string;
  readonly connections: number;
  readonly milliseconds: number;
  /** Requests a second, independent of the responses; without it, each client sends the next when it has its response. */
  readonly rate?: number;
}

/** Latencies are in milliseconds, from sending to the last byte, of accepted requests. */
export interface Report {
  readonly accepted: number;
  readonly rejected: number;
  /** Neither accepted nor rejected, by status. */
  readonly others: Readonly<Record<number, number>>;
  readonly lost: number;
  /** Requests that were due while every connection was waiting for a response. */
  readonly unsent: number;
  readonly p50: number;
  readonly p99: number;
  readonly seconds: number;
}

/** Interval at which due requests are sent. */
const BEAT_MS = 2;
const LAST_ANSWERS_MS = 60_000;

process.on("message", async (load: Load) => void process.send?.(await runLoad(load)));

async function runLoad(load: Load): Promise<Report> {
  const tally = { accepted: 0, rejected: 0, lost: 0, unsent: 0, others: {} as Record<number, number> };
  const latencies: number[] = [];
  const idle: Socket[] = [];
  const sentAt = new Map<Socket, number>();
  let isOver = false;
  let sent = 0;

  function sendRequest(socket: Socket): void {
    sentAt.set(socket, performance.now());
    socket.write(requestText(load, ++sent));
  }
  function count(status: number, milliseconds: number): void {
    if (status === 503) tally.rejected++;
    else if (status === 200 || status === 201) {
      tally.accepted++;
      latencies.push(milliseconds);
    } else tally.others[status] = (tally.others[status] ?? 0) + 1;
  }
  function connect(): Promise<Socket> {
    const read = createAnswerReader();
    return Bun.connect({
      hostname: "127.0.0.1",
      port: load.port,
      socket: {
        data(socket, chunk) {
          const status = read(chunk);
          if (status === 0) return;
          const begun = sentAt.get(socket) ?? 0;
          sentAt.delete(socket);
          count(status, performance.now() - begun);
          if (load.rate === undefined && !isOver) sendRequest(socket);
          else idle.push(socket);
        },
        close: (socket) => void (sentAt.delete(socket) && tally.lost++),
      },
    });
  }

  const sockets: Socket[] = [];
  while (sockets.length < load.connections) sockets.push(await connect());
  const startedAt = performance.now();
  if (load.rate === undefined) for (const socket of sockets) sendRequest(socket);
  else idle.push(...sockets);
  await keepSending(load, idle, sendRequest, () => tally.unsent++);
  isOver = true;
  const seconds = (performance.now() - startedAt) / 1000;
  const { accepted, rejected } = tally;
  for (let waited = 0; sentAt.size > 0 && waited < LAST_ANSWERS_MS; waited += BEAT_MS)
    await Bun.sleep(BEAT_MS);
  tally.lost += sentAt.size;
  sentAt.clear();
  for (const socket of sockets) socket.terminate();
  latencies.sort((one, other) => one - other);
  const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  return { ...tally, accepted, rejected, p50, p99, seconds };
}

/** Sends due requests until the time is over. */
async function keepSending(
  { rate = 0, milliseconds }: Load,
  idle: Socket[],
  sendRequest: (socket: Socket) => void,
  missed: () => void,
): Promise<void> {
  const startedAt = performance.now();
  let done = 0;
  for (let passed = 0; passed < milliseconds; passed = performance.now() - startedAt) {
    for (const due = Math.floor((passed / 1000) * rate); done < due; done++) {
      const socket = idle.shift();
      if (socket === undefined) missed();
      else sendRequest(socket);
    }
    await Bun.sleep(BEAT_MS);
  }
}

/** Every other request creates an animal; the rest list with a unique filter, to bypass the response cache. */
function requestText({ key }: Load, count: number): string {
  const lines = `Host: localhost\r\nAuthorization: Bearer ${key}\r\n`;
  if (count % 2 === 0) return `GET /v1/pets?categoryId=${count} HTTP/1.1\r\n${lines}\r\n`;
  const body = `{"name":"overload","categoryId":1}`;
  return (
    `POST /v1/pets HTTP/1.1\r\n${lines}Content-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  );
}
