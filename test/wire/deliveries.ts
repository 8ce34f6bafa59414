import { expect } from "bun:test";
import { send } from "./send.ts";
import type { Server } from "./server.ts";

interface Delivery {
  readonly headers: Headers;
  readonly body: string;
}

export interface Destination {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** Resolves once this many webhook deliveries have arrived. */
  received(count: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a destination for webhooks that records the deliveries it receives. It answers them with the given statuses in order, and
 * then repeats the last status.
 */
export function createDestination(...statuses: number[]): Destination {
  const deliveries: Delivery[] = [];
  const waiting: (() => void)[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      deliveries.push({ headers: request.headers, body: await request.text() });
      const status = statuses.length > 1 ? statuses.shift() : statuses[0];
      for (const wake of waiting.splice(0)) wake();
      return new Response(null, { status: status ?? 204 });
    },
  });
  const stop = () => server.stop(true);
  return {
    stop,
    url: `http://127.0.0.1:${server.port}/hook`,
    deliveries,
    async received(count: number): Promise<void> {
      while (deliveries.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

/** Waits until the message is no longer queued. Resolves to its status. */
export async function settled(server: Server, key: string, id: string): Promise<string> {
  for (;;) {
    const reply = await send("GET", `${server.messages}/messages/${id}`, { key });
    const { status } = reply.json;
    if (status !== "queued") return status;
  }
}

export async function submit(server: Server, key: string, message: string): Promise<string> {
  const reply = await send("POST", `${server.messages}/messages`, {
    key,
    body: JSON.stringify({ message }),
  });
  expect(reply.status).toBe(202);
  return reply.json.id;
}

/** Settings for a webhook that allow private addresses, because the tests receive webhooks on this machine. */
export function webhook(url: string): Readonly<Record<string, string>> {
  return { PETSTORE_MESSAGES_WEBHOOK: url, PETSTORE_MESSAGES_WEBHOOK_PRIVATE: "allow" };
}
