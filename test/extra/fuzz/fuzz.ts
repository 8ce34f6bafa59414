import fc from "fast-check";
import { undocumented } from "../../conformity/conformity.ts";
import { type Described, describedOperations, readExactly, writeExactly } from "../../conformity/document.ts";
import { send } from "../../wire/send.ts";
import type { Server } from "../../wire/server.ts";
import { allowedBy, hostileBody, type Shot, shotsAt } from "./requests.ts";

/** The parameters of a fuzz run. The same seed and count produce the same requests. */
export interface Run {
  readonly seed: number;
  readonly runs: number;
}

/** The number of responses, keyed by status. */
type Tally = Record<number, number>;

function baseOf(server: Server, { service }: Described): string {
  return server[service];
}

/**
 * Sends random requests to every operation, generated from the operation's OpenAPI description. A dropped connection, an
 * undocumented response, or a status of 500 or more is a failure. The error gives the seed and the smallest request that fails.
 */
export async function fuzzOperations(server: Server, key: string, run: Run): Promise<Record<string, Tally>> {
  const tallies: Record<string, Tally> = {};
  const known = [await stock(server, key)];
  // The operations are called in reverse order, so that orders are cancelled before they are completed, and placed before the
  // animals are deleted.
  for (const operation of (await describedOperations()).toReversed()) {
    const tally: Tally = {};
    tallies[operation.id] = tally;
    await hold(
      fc.asyncProperty(shotsAt(operation, key, known), async (shot) => {
        const status = await fire(server, operation, shot);
        tally[status] = (tally[status] ?? 0) + 1;
      }),
      run,
    );
  }
  return tallies;
}

/** Creates resources of every kind, so that the random requests find some. Returns the identifier of a message. */
async function stock(server: Server, key: string): Promise<string> {
  for (let count = 1; count <= 40; count++) {
    const body = '{"name":"stock","categoryId":1,"status":"available"}';
    const { id } = (await send("POST", `${server.production}/pets`, { key, body })).json;
    await send("POST", `${server.production}/categories`, { key, body: '{"name":"stock"}' });
    const order = { key, body: `{"petId":${id}}` };
    if (count % 2 === 0) await send("POST", `${server.production}/store/orders`, order);
  }
  const webhook = { key, body: '{"url":"https://hooks.example.invalid","types":["category.deleted"]}' };
  for (let count = 1; count <= 10; count++) {
    const { id } = (await send("POST", `${server.production}/webhooks`, webhook)).json;
    await send("POST", `${server.production}/webhooks/${id}/test`, { key });
  }
  const message = await send("POST", `${server.messages}/messages`, { key, body: '{"message":"stock"}' });
  return message.json.id;
}

async function fire(server: Server, operation: Described, { target, headers, body }: Shot): Promise<number> {
  const reply = await send(operation.method, baseOf(server, operation) + target, {
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const fault = reply.status >= 500 ? `a ${reply.status}: ${reply.body}` : undocumented(operation, reply);
  if (fault !== undefined) throw new Error(`${operation.id}: ${fault}`);
  return reply.status;
}

/** Creates valid animals, and checks that reading and listing them returns exactly what was sent. */
export async function fuzzReadBack(server: Server, key: string, run: Run): Promise<void> {
  const createPet = (await describedOperations()).find(({ id }) => id === "createPet");
  if (createPet?.body === undefined) throw new Error("There is no createPet.");
  await hold(
    fc.asyncProperty(allowedBy(createPet.body, createPet.resolve), async (pet) => {
      const created = await send("POST", `${server.production}/pets`, { key, body: writeExactly(pet) });
      // Another animal already has this `externalId`.
      if (created.status === 409) return;
      if (created.status !== 201) throw new Error(`${created.status} ${created.body}`);
      const stored = readExactly(created.body) as { id: number };
      const read = await send("GET", `${server.production}/pets/${stored.id}`, { key });
      const listed = await send("GET", `${server.production}/pets?limit=1`, { key });
      requireSame(stored, { id: stored.id, ...(pet as object) });
      requireSame(readExactly(read.body), stored);
      requireSame(readExactly(listed.body), [stored]);
    }),
    run,
  );
}

/** Compares two values as JSON text, because a `bigint` and a number can be the same integer. */
function requireSame(found: unknown, expected: unknown): void {
  if (!Bun.deepEquals(found, readExactly(writeExactly(expected))))
    throw new Error(`${writeExactly(found)} where ${writeExactly(expected)} was due`);
}

/**
 * Checks a property for random values. If it does not hold, the error gives the seed and the first 1,000 characters of the smallest
 * failing request.
 */
async function hold<Ts>(property: fc.IAsyncProperty<Ts>, { seed, runs }: Run): Promise<void> {
  const { failed, counterexample, errorInstance } = await fc.check(property, { seed, numRuns: runs });
  if (!failed) return;
  const smallest = Bun.inspect(counterexample).slice(0, 1_000);
  throw new Error(`seed ${seed}: ${String(errorInstance).slice(0, 1_000)}\nfor ${smallest}`);
}

/** Sends hostile bodies, such as broken JSON, to every operation that takes a body. */
export async function fuzzBodies(server: Server, key: string, run: Run): Promise<Tally> {
  const tally: Tally = {};
  const operations = (await describedOperations()).filter(({ method }) => method !== "GET");
  await hold(
    fc.asyncProperty(fc.nat(operations.length - 1), hostileBody, async (index, body) => {
      const operation = operations[index];
      if (operation === undefined) return;
      const target = operation.path.replace(/\{\w+\}/, "1");
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
      const status = await fire(server, operation, { target, headers, body });
      tally[status] = (tally[status] ?? 0) + 1;
    }),
    run,
  );
  return tally;
}
