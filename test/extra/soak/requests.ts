import { createToken } from "../../../src/keys/token.ts";
import type { Reply } from "../../wire/send.ts";
import type { Client } from "./load.ts";

type Action = (client: Client) => Promise<unknown>;

const NAMES = ["Nala", "Simba", "Ærøskøbing", "Zoë", "熊猫", "Rex the Third", "Mia", "😀"] as const;
const PETS_KEPT = 60; // the number of animals that a client keeps changing; beyond that, it leaves the oldest ones unchanged

const idOf = ({ body }: Reply): number => JSON.parse(body).id;
const nameOf = ({ random, next }: Client): string => `${random.pick(NAMES)} ${next()}`;
const some = <Value>({ random }: Client, values: readonly Value[]): Value | undefined =>
  values[random.between(0, values.length - 1)];
const take = <Value>({ random }: Client, values: Value[]): Value | undefined =>
  values.splice(random.between(0, Math.max(0, values.length - 1)), 1)[0];

const createPet: Action = async (client) => {
  const { random, name, next, pets, call } = client;
  const body = JSON.stringify({
    name: nameOf(client),
    categoryId: random.between(1, 500),
    status: "available",
  });
  const isKeyed = random.chance(0.5);
  const headers = isKeyed ? { "Idempotency-Key": `${name}-${next()}` } : {};
  pets.push(idOf(await call("POST /pets", { body, headers, expected: [201] })));
  if (isKeyed && random.chance(0.3)) await call("POST /pets", { body, headers, expected: [201] });
  if (isKeyed && random.chance(0.1))
    await call("POST /pets", { body: `[${body}]`, headers, expected: [400, 422] });
  if (pets.length > PETS_KEPT) pets.shift();
};

const readHotList: Action = ({ random, call }) =>
  call(`GET /pets${random.pick(["", "?limit=20", "?status=available", "?status=sold&limit=50"])}`);

const readColdList: Action = async ({ random, call }) => {
  const filter = random.pick([
    "status=available",
    `categoryId=${random.between(1, 500)}`,
    "limit=100",
    "hasStatus=true",
  ]);
  let next: string | undefined = `/pets?${filter}`;
  for (let page = random.between(1, 5); page > 0 && next !== undefined; page--) {
    const reply = await call(`GET ${next}`, { expected: [200, 400] });
    const address = /<([^>]+)>; rel="next"/.exec(reply.headers.get("Link") ?? "")?.[1];
    next = address?.slice(address.indexOf("/pets"));
  }
};

const search: Action = ({ random, call }) =>
  call(
    `GET /pets?name=${encodeURIComponent(random.pick(["nal", "rex", "熊", "third 1", "zoe", "aeros"]))}&limit=${random.between(1, 100)}`,
  );

const readPet: Action = async (client) => {
  const { random, call, keys } = client;
  const pet = some(client, client.pets) ?? 1;
  const reply = await call(`GET /pets/${pet}`, { key: random.pick(keys.read), expected: [200, 404] });
  const tag = reply.headers.get("ETag");
  if (tag !== null && random.chance(0.5))
    await call(`GET /pets/${pet}`, { headers: { "If-None-Match": tag }, expected: [200, 304, 404] });
};

const readPetsById: Action = (client) =>
  client.call(
    `GET /pets?id=${[...new Set([...client.pets.slice(-20), client.random.between(1, 1e6)])].join(",")}`,
  );

const changePet: Action = async (client) => {
  const pet = some(client, client.pets);
  if (pet === undefined) return;
  const body = JSON.stringify({ name: nameOf(client) });
  const headers = client.random.chance(0.1) ? { "If-Match": '"old"' } : {};
  await client.call(`PATCH /pets/${pet}`, { body, headers, expected: [200, 404, 412] });
};

const deletePet: Action = async (client) => {
  const pet = take(client, client.pets);
  if (pet !== undefined) await client.call(`DELETE /pets/${pet}`, { expected: [204] });
};

const placeOrder: Action = async (client) => {
  const pet = take(client, client.pets);
  if (pet === undefined) return;
  const body = JSON.stringify({ petId: pet });
  client.ordered.push({
    order: idOf(await client.call("POST /store/orders", { body, expected: [201] })),
    pet,
  });
  await client.call("POST /store/orders", { body, expected: [409] });
};

const endOrder: Action = async (client) => {
  const ordered = take(client, client.ordered);
  if (ordered === undefined) return;
  const { order, pet } = ordered;
  await client.call(`GET /store/orders/${order}`);
  if (client.random.chance(0.6)) return void (await client.call(`POST /store/orders/${order}/complete`));
  await client.call(`DELETE /store/orders/${order}`, { expected: [204] });
  client.pets.push(pet);
};

const readOrders: Action = ({ random, call }) =>
  call(`GET /store/orders?limit=${random.between(1, 100)}&complete=${random.chance(0.5)}`);

const changeCategories: Action = async ({ random, next, call }) => {
  await call("GET /categories");
  const made = await call("POST /categories", {
    body: JSON.stringify({ name: `Category ${next()}` }),
    expected: [201],
  });
  const path = `/categories/${idOf(made)}`;
  await call(`PATCH ${path}`, { body: JSON.stringify({ description: "Seldom" }) });
  // An animal may be in this category by chance, so a 409 is also expected.
  if (random.chance(0.9)) await call(`DELETE ${path}`, { expected: [204, 409] });
};

const sendMessage: Action = async ({ random, next, call }) => {
  const body = JSON.stringify({ message: "Hello. ".repeat(random.between(1, 200)) + next() });
  const { id } = JSON.parse(
    (await call("POST /messages", { service: "messages", body, expected: [202] })).body,
  );
  await call(`GET /messages/${id}`, { service: "messages" });
};

const rehearse: Action = async ({ random, call }) => {
  const at = { service: "staging" } as const;
  await call("GET /pets?limit=50", at);
  await call("POST /pets", {
    ...at,
    body: JSON.stringify({ name: "Rehearsed", categoryId: 1 }),
    expected: [201],
  });
  const code = random.pick(["rate_limited", "unavailable", "internal_error"]);
  await call("GET /pets", { ...at, headers: { "Petstore-Simulate": code }, expected: [429, 503, 500] });
};

const beRefused: Action = async ({ random, keys, call, name, next }) => {
  const unknown = createToken("production", (length) => crypto.getRandomValues(new Uint8Array(length)));
  const wrong = random.pick<() => Promise<Reply>>([
    () => call("GET /pets", { key: unknown, expected: [401] }),
    () => call("GET /pets", { key: `${unknown}x`, expected: [401] }),
    () => call("GET /pets", { key: random.pick(keys.staging), expected: [401] }),
    () => call("POST /pets", { key: random.pick(keys.read), body: "{}", expected: [403] }),
    () => call(`GET /${name}/${next()}`, { expected: [404] }),
    () => call(`GET /pets?${name}=${next()}`, { expected: [400] }),
    () => call(`GET /pets?cursor=${name}${next()}`, { expected: [400] }),
    () => call("PUT /pets", { body: "{}", expected: [405] }),
    () => call("POST /pets", { body: `{"name": ${next()}`, expected: [400] }),
    () =>
      call("POST /pets", {
        body: JSON.stringify({ name: next(), [name]: "x".repeat(5_000) }),
        expected: [400],
      }),
    () => call("POST /pets", { body: "x".repeat(100_000), expected: [413] }),
    () => call("POST /pets", { body: "name=x", headers: { "Content-Type": "text/plain" }, expected: [415] }),
  ]);
  await wrong();
};

/** Closes the connection before the response arrives, either while the body is being sent or directly after the request. */
const leave: Action = async ({ random, pace, service, keys }) => {
  await pace();
  const { hostname, port } = new URL(service.production);
  const authorization = `Host: ${hostname}:${port}\r\nAuthorization: Bearer ${random.pick(keys.write)}\r\n`;
  const text = random.pick([
    `POST /v1/pets HTTP/1.1\r\n${authorization}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"name":"Gone`,
    `GET /v1/pets?limit=100 HTTP/1.1\r\n${authorization}\r\n`,
    `GET /v1/pets?name=${random.pick(["a", "b", "n"])} HTTP/1.1\r\n${authorization}\r\n`,
    "GET /v1/pets HTTP/1.1\r\nHost",
  ]);
  const socket = await Bun.connect({ hostname: "127.0.0.1", port: Number(port), socket: { data() {} } });
  socket.write(text);
  await Bun.sleep(random.between(0, 5));
  socket.terminate();
};

const readPages: Action = async ({ random, pace, service }) => {
  await pace();
  const path = random.pick([
    "/",
    "/docs",
    "/openapi.json",
    "/healthz",
    "/readyz",
    "/docs/guides/run",
    "/assets/none",
  ]);
  const encoding = random.pick(["gzip", "br", "identity"]);
  const address = new URL(path, random.pick([service.production, service.staging]));
  await (await fetch(address, { headers: { "Accept-Encoding": encoding } })).text();
};

const readEvents: Action = async (client) => {
  await client.call(
    `GET /events?limit=${client.random.between(1, 100)}&order=${client.random.pick(["asc", "desc"])}`,
  );
  const pet = some(client, client.pets);
  if (pet !== undefined) await client.call(`GET /events?petId=${pet}`);
};

/** The share of each kind of action among all actions of a client. */
const ACTIONS: readonly (readonly [share: number, Action])[] = [
  [22, readHotList],
  [6, readColdList],
  [3, search],
  [14, readPet],
  [4, readPetsById],
  [16, createPet],
  [8, changePet],
  [4, deletePet],
  [5, placeOrder],
  [5, endOrder],
  [2, readOrders],
  [1, changeCategories],
  [2, sendMessage],
  [2, rehearse],
  [6, beRefused],
  [3, leave],
  [1, readPages],
  [2, readEvents],
];
const TOTAL = ACTIONS.reduce((sum, [share]) => sum + share, 0);

export async function actByChance(client: Client): Promise<void> {
  let place = client.random.next() * TOTAL;
  for (const [share, action] of ACTIONS) {
    place -= share;
    if (place < 0) return void (await action(client));
  }
}
