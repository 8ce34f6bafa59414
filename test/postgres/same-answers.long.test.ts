import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Described, describedOperations } from "../conformity/document.ts";
import { type Shot, shotsAt } from "../extra/fuzz/requests.ts";
import { type Reply, send } from "../wire/send.ts";
import { makeKey, type Server, startServer } from "../wire/server.ts";
import { freshEmbeddedStore, freshPostgresStore } from "../wire/stores.ts";

// Valid, invalid and hostile requests are sent to a service on SQLite and to one on PostgreSQL. The responses must be identical,
// byte for byte.

const REQUESTS = 10_000;
const SEED = 20_260_101;
/**
 * The paths of operations whose responses do not depend on timing. The other responses do, because the service numbers events and
 * creates deliveries only after it has answered the change.
 */
const COMPARED = /^\/(pets|categories|store|messages)\b/;

interface Side {
  readonly server: Server;
  readonly key: string;
}

let sides: readonly [Side, Side];

beforeAll(async () => {
  const open = async (freshStore: typeof freshEmbeddedStore): Promise<Side> => {
    const server = await startServer({ store: await freshStore() });
    return { server, key: await makeKey(server.store) };
  };
  sides = [await open(freshEmbeddedStore), await open(freshPostgresStore)];
});
afterAll(() => Promise.all(sides.map(({ server }) => server.stop())));

/** A placeholder for the API key in a request. The test replaces it with the key of the server that receives the request. */
const KEY = "the-key";

function play(side: Side, { service, method }: Described, { target, headers, body }: Shot): Promise<Reply> {
  const Authorization = headers["Authorization"]?.replace(KEY, side.key) ?? "";
  return send(method, side.server[service] + target, {
    headers: { ...headers, Authorization },
    ...(body !== undefined && { body }),
  });
}

/** Headers whose values always differ between two responses. */
const VARYING = ["date", "x-request-id", "connection", "transfer-encoding"];

/**
 * Returns a response without the values that always differ: request ids, message ids, ports, dates, and everything that depends on
 * dates.
 */
function comparable({ server }: Side, { path }: Described, { status, headers, body }: Reply): string {
  // Only the responses about animals contain no times, so only their ETags are comparable.
  const varying = path.startsWith("/pets") ? VARYING : [...VARYING, "etag"];
  const lines = [...headers]
    .filter(([name]) => !varying.includes(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort();
  const text = [status, ...lines, body].join("\n");
  const origins = [server.production, server.messages].map((address) => new URL(address).origin);
  return origins
    .reduce((so, origin, index) => so.replaceAll(origin, `origin-${index}`), text)
    .replaceAll(/msg_\w{22}/g, "msg_…")
    .replaceAll(/"(createdAt|completedAt)":"[^"]+"/g, '"$1":"…"');
}

test(`${REQUESTS} generated requests: no answer differs between the engines`, async () => {
  const operations = (await describedOperations()).filter(({ path }) => COMPARED.test(path));
  const rounds = Math.ceil(REQUESTS / operations.length);
  const shots = operations.map((operation) =>
    fc.sample(shotsAt(operation, KEY, []), { seed: SEED, numRuns: rounds }),
  );
  const differences: string[] = [];
  const statuses = new Map<number, number>();
  for (let round = 0; round < rounds; round++)
    for (const [index, operation] of operations.entries()) {
      const shot = shots[index]?.[round] ?? expect.unreachable();
      const [one, other] = await Promise.all(sides.map((side) => play(side, operation, shot)));
      if (one === undefined || other === undefined) throw new Error("There are two sides.");
      statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1);
      const [left, right] = [comparable(sides[0], operation, one), comparable(sides[1], operation, other)];
      if (left !== right) differences.push(`${operation.id} ${Bun.inspect(shot)}\n${left}\n---\n${right}`);
    }
  console.log(
    `seed ${SEED}: ${rounds * operations.length} requests, ${differences.length} differences; statuses ${JSON.stringify([...statuses].sort(([a], [b]) => a - b))}`,
  );
  expect(differences.slice(0, 3)).toEqual([]);
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  expect(statuses.size).toBeGreaterThan(9);
});
