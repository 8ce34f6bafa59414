// The service in the style of Fastify's documentation: schemas for requests and responses, hooks, one plugin.
import etag from "@fastify/etag";
import fastify from "fastify";

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
const pet = { type: "object", properties: { id: { type: "integer" }, ...newPet.properties } };
const pageQuery = {
  type: "object",
  additionalProperties: false,
  properties: {
    limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
    status: newPet.properties.status,
    before: { type: "integer", minimum: 1 },
  },
};
const petPath = { type: "object", properties: { petId: { type: "integer" } } };

function refuse(reply, status, code, message) {
  return reply.code(status).send({ code, message, status });
}

function authenticateBy(store) {
  return async (request, reply) => {
    const [, token] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    request.key = token === undefined ? undefined : await store.findKey(token);
    if (request.key === undefined) {
      reply.header("WWW-Authenticate", 'Bearer realm="petstore", error="invalid_token"');
      return refuse(reply, 401, "unauthorized", "The API key is invalid, expired or revoked.");
    }
    if (request.method !== "GET" && request.key.access !== "read-write")
      return refuse(reply, 403, "forbidden", "This API key may only read.");
  };
}

async function listPets(store, { query, host }, reply) {
  const { limit, status } = query;
  const found = await store.listPets({ ...query, limit: limit + 1 });
  if (found.length > limit) {
    found.pop();
    const filter = status === undefined ? "" : `&status=${status}`;
    const next = `http://${host}/v1/pets?limit=${limit}${filter}&before=${found.at(-1).id}`;
    reply.header("Link", `<${next}>; rel="next"`);
  }
  return found;
}

async function createPet(store, { headers, key, body, host }, reply) {
  const name = headers["idempotency-key"];
  const made =
    name === undefined ? { pet: await store.createPet(body) } : await store.createOnce(key.id, name, body);
  if (made.isReused)
    return refuse(reply, 422, "idempotency_key_reused", "This Idempotency-Key was already used.");
  return reply.code(201).header("Location", `http://${host}/v1/pets/${made.pet.id}`).send(made.pet);
}

export async function startFastify(store) {
  const app = fastify({ logger: true, bodyLimit: 65_536 });
  await app.register(etag);
  app.decorateRequest("key");
  app.addHook("onRequest", authenticateBy(store));
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, "not_found", "There is nothing here."));
  app.setErrorHandler((error, _request, reply) =>
    error.validation
      ? refuse(reply, 400, "invalid_parameter", error.message)
      : refuse(reply, error.statusCode ?? 500, "internal_error", "Something went wrong."),
  );
  const page = { querystring: pageQuery, response: { 200: { type: "array", items: pet } } };
  app.get("/v1/pets", { schema: page }, (request, reply) => listPets(store, request, reply));
  const one = { params: petPath, response: { 200: pet } };
  app.get("/v1/pets/:petId", { schema: one }, async ({ params: { petId } }, reply) => {
    const found = await store.getPet(petId);
    return found ?? refuse(reply, 404, "not_found", `There is no animal ${petId}.`);
  });
  const added = { body: newPet, response: { 201: pet } };
  app.post("/v1/pets", { schema: added }, (request, reply) => createPet(store, request, reply));
  await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
}
