// A server for comparison with petstore, written as Fastify's documentation recommends, with schemas for requests and responses,
// hooks and one plugin.
import { hash } from "node:crypto";
import etag from "@fastify/etag";
import fastify, { LogController } from "fastify";
import pino from "pino";

const STATUSES = ["available", "pending", "sold"];
const newPet = {
  type: "object",
  required: ["name", "categoryId"],
  properties: {
    name: { type: "string" },
    categoryId: { type: "integer" },
    status: { type: "string", enum: STATUSES },
  },
};
const pet = {
  type: "object",
  required: ["id", "name", "categoryId"],
  properties: { id: { type: "integer" }, ...newPet.properties },
};
const refusal = {
  type: "object",
  required: ["code", "message", "status"],
  properties: { code: { type: "string" }, message: { type: "string" }, status: { type: "integer" } },
};
const pageQuery = {
  type: "object",
  additionalProperties: false,
  properties: {
    limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
    before: { type: "integer", minimum: 1 },
  },
};
const petPatch = { type: "object", minProperties: 1, properties: newPet.properties };
const newOrder = {
  type: "object",
  required: ["petId"],
  properties: { petId: { type: "integer" }, quantity: { type: "integer", const: 1, default: 1 } },
};
const order = {
  type: "object",
  properties: {
    id: { type: "integer" },
    ...newOrder.properties,
    shipDate: { type: "null" },
    complete: { type: "boolean" },
    createdAt: { type: "string" },
  },
};
const petPath = { type: "object", properties: { petId: { type: "integer" } } };

function refuse(reply, status, code, message) {
  return reply.code(status).send({ code, message, status });
}

/**
 * Calls `next` with the result of a store. The SQLite store returns its result synchronously, the PostgreSQL store as a promise.
 */
function after(result, next) {
  return result instanceof Promise ? result.then(next) : next(result);
}

function authenticateBy(store) {
  return (request, reply, done) => {
    const [, token] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    const admitted = after(token && store.findKey(token), (key) => {
      if (key === undefined) {
        reply.header("WWW-Authenticate", 'Bearer realm="petstore", error="invalid_token"');
        refuse(reply, 401, "unauthorized", "The API key is invalid, expired or revoked.");
      } else if (request.method !== "GET" && key.access !== "read-write")
        refuse(reply, 403, "forbidden", "This API key can only read.");
      else done();
    });
    if (admitted instanceof Promise) admitted.catch(done);
  };
}

function logRequest({ method, url, id, log }, { statusCode, elapsedTime }, done) {
  log.info({ method, url, id, status: statusCode, responseTime: elapsedTime }, "request");
  done();
}

function listPets(store, { query, host }, reply) {
  const { limit, before = Number.MAX_SAFE_INTEGER } = query;
  return after(store.listPets(before, limit + 1), (found) => {
    if (found.length > limit) {
      found.pop();
      const next = `http://${host}/v1/pets?limit=${limit}&before=${found.at(-1).id}`;
      reply.header("Link", `<${next}>; rel="next"`);
    }
    return found;
  });
}

function getPet(store, { params: { petId } }, reply) {
  const absent = () => refuse(reply, 404, "not_found", `There is no animal ${petId}.`);
  return after(store.getPet(petId), (found) => found ?? absent());
}

function createPet(store, { body, host }, reply) {
  return after(store.createPet(body), (pet) =>
    reply.code(201).header("Location", `http://${host}/v1/pets/${pet.id}`).send(pet),
  );
}

function patchPet(store, { params: { petId }, body }, reply) {
  const absent = () => refuse(reply, 404, "not_found", `There is no animal ${petId}.`);
  return after(store.patchPet(petId, body), (found) => found ?? absent());
}

function placeOrder(store, { body: { petId, quantity }, host }, reply) {
  const now = Date.now();
  return after(store.placeOrder(petId, quantity, now), (id) => {
    if (id === undefined) return refuse(reply, 409, "pet_not_available", `Animal ${petId} is not available.`);
    reply.code(201).header("Location", `http://${host}/v1/store/orders/${id}`);
    const createdAt = new Date(now).toISOString();
    return reply.send({ id, petId, quantity, shipDate: null, complete: false, createdAt });
  });
}

async function startFastify(store) {
  const app = fastify({
    // Fastify would log two lines for each request. Instead, logRequest logs one. The log is buffered, as pino recommends.
    loggerInstance: pino(pino.destination({ dest: 1, minLength: 4096, sync: false })),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 65_536,
  });
  await app.register(etag, { hashFn: (payload) => hash("sha1", payload, "base64") });
  app.addHook("onRequest", authenticateBy(store));
  app.addHook("onResponse", logRequest);
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, "not_found", "There is nothing here."));
  app.setErrorHandler((error, _request, reply) =>
    error.validation
      ? refuse(reply, 400, "invalid_parameter", error.message)
      : refuse(reply, error.statusCode ?? 500, "internal_error", "Something went wrong."),
  );
  const page = { querystring: pageQuery, response: { 200: { type: "array", items: pet }, "4xx": refusal } };
  app.get("/v1/pets", { schema: page }, (request, reply) => listPets(store, request, reply));
  const one = { params: petPath, response: { 200: pet, "4xx": refusal } };
  app.get("/v1/pets/:petId", { schema: one }, (request, reply) => getPet(store, request, reply));
  const added = { body: newPet, response: { 201: pet, "4xx": refusal } };
  app.post("/v1/pets", { schema: added }, (request, reply) => createPet(store, request, reply));
  const patched = { params: petPath, body: petPatch, response: { 200: pet, "4xx": refusal } };
  app.patch("/v1/pets/:petId", { schema: patched }, (request, reply) => patchPet(store, request, reply));
  const ordered = { body: newOrder, response: { 201: order, "4xx": refusal } };
  app.post("/v1/store/orders", { schema: ordered }, (request, reply) => placeOrder(store, request, reply));
  await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
}

const { openStore } = await import(`./${process.argv[2]}-store.mjs`);
await startFastify(openStore(process.env.DATABASE));
