import { setSystemTime } from "bun:test";
import { Webhook } from "standardwebhooks";
import { parseJson } from "../../src/contract/json/json.ts";

export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The status that the receiver answered with. */
  readonly status: number;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  stop(): Promise<void>;
}

/** @param answer a function that returns the status of each response, or a promise of it */
export function createReceiver(answer: (body: string) => number | Promise<number>): Receiver {
  const received: Received[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = await request.text();
      const status = await answer(body);
      received.push({ headers: request.headers.toJSON(), body, status });
      return new Response("not read", { status, headers: { Location: "/elsewhere" } });
    },
  });
  return { url: `http://127.0.0.1:${server.port}/hook`, received, stop: () => server.stop(true) };
}

/** Returns the event in a delivery. In a delivery, the time of the event is called `timestamp`. */
export function eventOf({ body }: Received): {
  id: number;
  type: string;
  data: { id: number; petId?: number };
} {
  const { timestamp: createdAt, ...event } = Object(parseJson(body));
  return { ...event, createdAt };
}

/**
 * Verifies the signature of a delivery with the published library.
 *
 * @param now time of arrival, in milliseconds since 1970
 * @throws WebhookVerificationError
 */
export function verify({ headers, body }: Received, secret: string, now: number): void {
  setSystemTime(now);
  try {
    new Webhook(secret).verify(body, headers);
  } finally {
    setSystemTime();
  }
}
