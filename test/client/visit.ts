import type * as Published from "../../client/src/client.ts";

// A test program that uses a store through the client. It must report the same results on every JavaScript runtime.

export interface Store {
  readonly production: string;
  readonly staging: string;
  readonly messages: string;
  readonly key: string;
  readonly stagingKey: string;
  /** An address where nothing listens, such as `http://localhost:41234`. */
  readonly nowhere: string;
}

const IS_PAGE = "document" in globalThis;

/** Runs the test program, and returns its report as JSON. A `bigint` is written as its digits followed by `n`. */
export async function visit(published: typeof Published, store: Store): Promise<string> {
  const { key, stagingKey, production, staging, messages } = store;
  // With such a long timeout, a timer that the client leaves running would keep this program from ending.
  const timeoutMs = 3_600_000;
  const client = published.createClient({ key, baseUrl: production, messagesUrl: messages, timeoutMs });
  const other = published.createClient({ key: stagingKey, baseUrl: staging, messagesUrl: messages });
  const report = {
    animals: await keepAnimals(client),
    orders: await sell(client),
    refusal: await refused(published, client),
    wrong: await wrongMembers(published, client),
    seen: await watched(client),
    keyless: keyless(published),
    staging: await count(other.pets.list()),
    message: await say(other),
    unreachable: await unreachable(published, store),
    aborted: await aborted(client),
    delivery: await receive(published),
    followed: await follow(client),
  };
  return JSON.stringify(report, (_, value) => (typeof value === "bigint" ? `${value}n` : value));
}

async function keepAnimals({ pets, categories }: Published.Client) {
  const cats = await categories.create({ name: "Cats", description: "Purring 🐈" });
  const added: Published.Pet[] = [];
  for (const categoryId of [9007199254740993n, -(2n ** 63n), 2n ** 63n - 1n, 7, 7]) {
    added.push(await pets.create({ name: `Animal of ${categoryId}`, categoryId, status: "available" }));
  }
  const [first, second, third, fourth] = added.map(({ id }) => id);
  if (first === undefined || second === undefined || third === undefined || fourth === undefined)
    throw new Error();
  const changed = await pets.update(second, { status: null, name: 'Ré\\"x\u2028' });
  await pets.delete(third);
  const pages: number[] = [];
  for await (const page of pets.list({ limit: 2 }).pages()) pages.push(page.length);
  const page = await pets.list({ limit: 2 });
  const sizes: number[] = [];
  const onAnswer = ({ body = "" }: Published.Answer) => void sizes.push(JSON.parse(body).length);
  await pets.list({ limit: 2 }, { onAnswer }).toArray({ limit: 3 });
  return {
    categories: [cats.name, cats.description, await count(categories.list({ limit: 1 }))],
    added: added.map(({ categoryId }) => categoryId),
    changed: { ...changed, id: changed.id === second },
    pages,
    awaited: [page.length, (await page.next())?.length, await count(page)],
    wanted: sizes,
    exact: await count(pets.list({ categoryId: 9007199254740993n })),
    chosen: await count(pets.list({ ids: [first, third, fourth], status: "available" })),
    one: (await pets.get(first)).categoryId,
  };
}

async function sell({ pets, orders }: Published.Client) {
  const { id: petId } = await pets.create({ name: "Sold", categoryId: 1, status: "available" });
  const order = await orders.place({
    petId,
    quantity: 1,
    shipDate: "2026-01-01T13:00:00+01:00",
  });
  await orders.cancel(order.id);
  const { id } = await orders.place({ petId });
  const complete = await orders.complete(id);
  return {
    placed: [order.quantity, order.shipDate],
    complete: [
      complete.complete,
      complete.shipDate,
      await count(pets.list({ ids: [petId], status: "sold" })),
    ],
    kept: await count(orders.list()),
  };
}

async function refused({ PetstoreError }: typeof Published, { orders }: Published.Client) {
  const statuses: number[] = [];
  const onAnswer = ({ status }: Published.Answer) => void statuses.push(status);
  const error: unknown = await orders.complete(2 ** 50, { onAnswer }).catch((reason) => reason);
  if (!(error instanceof PetstoreError)) return error;
  const { code, status, message, requestId, outcomeUnknown } = error;
  return [code, status, message, requestId.length > 0, outcomeUnknown, statuses];
}

async function wrongMembers({ PetstoreInvalidError }: typeof Published, { pets }: Published.Client) {
  const wrong = { name: "No category" } as Published.NewPet;
  const error: unknown = await pets.create(wrong).catch((reason) => reason);
  return error instanceof PetstoreInvalidError ? [error.name, error.members] : error;
}

/** Returns requests as the client's hooks see them. In a browser, the client sets no `User-Agent`. */
async function watched({ categories }: Published.Client) {
  let seen: unknown;
  let agent: string | undefined;
  await categories.create(
    { name: "Watched" },
    {
      onRequest: ({ headers }) => {
        agent = headers["user-agent"];
      },
      onAnswer: ({ request, status, body, headers }) => {
        seen = [request.method, status, body?.includes('"Watched"'), headers.has("X-Request-Id")];
      },
    },
  );
  const runtime = "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node";
  const isNamed = new RegExp(`^petstore-client/\\S+ ${runtime}/\\d`).test(agent ?? "");
  return [seen, IS_PAGE ? agent === undefined : isNamed];
}

function keyless({ createClient }: typeof Published): string {
  try {
    createClient();
    return "It was accepted.";
  } catch (error) {
    return error instanceof TypeError ? error.message : String(error);
  }
}

async function say({ messages }: Published.Client) {
  const { id, message } = await messages.submit({ message: "Hello, 世界!" });
  return [id.startsWith("msg_"), message === (await messages.get(id)).message];
}

async function unreachable(
  { createClient, PetstoreConnectionError }: typeof Published,
  { key, nowhere }: Store,
) {
  const { pets } = createClient({ key, baseUrl: `${nowhere}/v1`, retries: 1 });
  const error: unknown = await pets.create({ name: "Nobody", categoryId: 1 }).catch((reason) => reason);
  return (
    error instanceof PetstoreConnectionError &&
    error.message.startsWith(`POST ${nowhere}/v1/pets could not be`) &&
    // Only outside a browser does the client know whether it has sent the request.
    error.outcomeUnknown === IS_PAGE
  );
}

async function aborted({ pets }: Published.Client) {
  const caller = new AbortController();
  const call = pets.create({ name: "Never", categoryId: 1 }, { signal: caller.signal });
  caller.abort();
  return call.catch((reason) => reason.name);
}

async function receive({ verifyWebhook, WebhookVerificationError }: typeof Published) {
  const headers = {
    "Webhook-Id": "evt_1",
    "Webhook-Timestamp": "1767225600",
    "Webhook-Signature": "v1,K/qKfQa7rSKV7Oalh8Xi9jhzxenG5FEaqdgManZSidI=",
  };
  const body = '{"type":"pet.created","timestamp":"2026-01-01T00:00:00.000Z","data":{"id":9007199254740993}}';
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const { type, data } = await verifyWebhook(headers, body, secret, { now: 1767225600_000 });
  const refused: unknown = await verifyWebhook(new Headers(headers), body, secret).catch((reason) => reason);
  return [type, data, refused instanceof WebhookVerificationError];
}

/** Follows events, and then aborts. If the client left the connection open, this program would not end. */
async function follow({ events }: Published.Client) {
  const created: Published.Int64[] = [];
  for await (const event of events.follow({ after: 0, types: ["pet.created"] })) {
    if (event.type === "pet.created") created.push(event.data.categoryId);
    if (created.length === 3) break;
  }
  const caller = new AbortController();
  let answers = 0;
  const onAnswer = () => {
    // Aborts at the second response, which is the event stream. The first response is about the newest event.
    if (++answers === 2) caller.abort();
  };
  const { signal } = caller;
  const next = events.follow({ signal, onAnswer })[Symbol.asyncIterator]().next();
  return [created, await next.catch((reason) => reason.name)];
}

async function count(list: AsyncIterable<unknown>): Promise<number> {
  let total = 0;
  for await (const _ of list) total++;
  return total;
}
