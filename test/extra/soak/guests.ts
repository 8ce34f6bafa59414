import type { Random } from "../../random.ts";
import { type BrowserSession, openBrowserSession } from "../../wire/browser-session.ts";
import { followEvents } from "../../wire/event-source.ts";
import { send } from "../../wire/send.ts";
import type { SoakKeys } from "./load.ts";
import type { SoakedService } from "./service.ts";

// Clients that stay for a while and then leave: event streams, people in the console, and webhooks.

interface GuestOptions {
  readonly service: SoakedService;
  readonly keys: SoakKeys;
  readonly random: Random;
  /** The address that receives the webhook deliveries. */
  readonly receiver: string;
  readonly person: { readonly email: string; readonly password: string };
  readonly onSurprise: (surprise: string) => void;
}

type Guest = (options: GuestOptions, isOver: () => boolean) => Promise<void>;

const STREAMS = 20;
const STREAM_MAX_MS = 120_000; // the longest time that an event stream stays open
const PERSON_CALLS = 60; // the number of requests that a person sends between signing in and signing out
const PERSON_PAUSE_MS = 500; // the pause between two requests of a person
const WEBHOOK_STAY_MS = 60_000; // the time from a webhook's creation to its removal

/**
 * Starts all visiting clients: event streams, people in the console, and webhooks. The returned function waits until all of them
 * have left.
 */
export function receiveGuests(options: GuestOptions): () => Promise<void> {
  let isOver = false;
  const come = async (guest: Guest) => {
    while (!isOver)
      await guest(options, () => isOver).catch((error: unknown) =>
        options.onSurprise(`${guest.name}: ${error}`),
      );
  };
  const all = [...Array.from({ length: STREAMS }, () => followAWhile), workInConsole, keepWebhook];
  const here = all.map(come);
  return async () => {
    isOver = true;
    await Promise.all(here);
  };
}

async function followAWhile({ service, keys, random }: GuestOptions, isOver: () => boolean): Promise<void> {
  const at = random.chance(0.9) ? "production" : "staging";
  const key = random.pick(at === "production" ? keys.read : keys.staging);
  const source = await followEvents(`${service[at]}/events`, { key });
  if (source.status !== 200) throw new Error(await source.text());
  const leaving = sleepUnless(isOver, random.between(100, STREAM_MAX_MS)).then(source.close);
  // When this client closes the event stream, reading from it ends with an error.
  await drain(source).catch(() => {});
  await leaving;
}

async function drain(source: { next(): Promise<unknown> }): Promise<void> {
  while ((await source.next()) !== undefined);
}

async function workInConsole(options: GuestOptions, isOver: () => boolean): Promise<void> {
  const { service, random, person, onSurprise } = options;
  const browser = openBrowserSession(service, random.pick(["production", "staging"]));
  const expect = async (status: number, ...request: Parameters<BrowserSession["call"]>) => {
    const reply = await browser.call(...request);
    if (reply.status !== status) onSurprise(`console, ${request[0]}: ${reply.status} ${reply.body}`);
    return reply;
  };
  await expect(401, "POST /session", { ...person, password: "not this one" });
  await expect(201, "POST /session", person);
  const days = Array.from(
    { length: 8 },
    (_, day) => new Date().setUTCHours(0, 0, 0, 0) - (7 - day) * 86_400_000,
  );
  for (let call = 0; call < PERSON_CALLS && !isOver(); call++) {
    await expect(
      200,
      `GET ${random.pick(["/pets?limit=50", "/session", "/pet-counts", "/store/orders", "/keys", "/audit", "/categories", "/used-categories", `/overview?days=${days}`])}`,
    );
    await sleepUnless(isOver, PERSON_PAUSE_MS);
    if (call % 20 !== 0) continue;
    const { token, key } = JSON.parse(
      (await expect(201, "POST /keys", { name: `for a moment ${call}` })).body,
    );
    const at = token.startsWith("pet_live_") ? service.production : service.staging;
    await send("GET", `${at}/key`, { key: token });
    await expect(204, `DELETE /keys/${key.id}`);
  }
  await expect(204, "DELETE /session");
}

async function keepWebhook(
  { service, keys, receiver, onSurprise }: GuestOptions,
  isOver: () => boolean,
): Promise<void> {
  const call = async (status: number, method: string, path: string, body?: object) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await send(method, service.production + path, { key: keys.write[0], ...sent });
    if (reply.status !== status) onSurprise(`${method} ${path}: ${reply.status} ${reply.body}`);
    return reply;
  };
  const path = `/webhooks/${(await call(201, "POST", "/webhooks", { url: receiver })).json.id}`;
  await call(202, "POST", `${path}/test`);
  await call(200, "POST", `${path}/rotate-secret`, {});
  await sleepUnless(isOver, WEBHOOK_STAY_MS);
  await call(200, "GET", `${path}/deliveries?limit=100`);
  await call(204, "DELETE", path);
}

async function sleepUnless(isOver: () => boolean, ms: number): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end && !isOver(); )
    await Bun.sleep(Math.min(ms, 250));
}
