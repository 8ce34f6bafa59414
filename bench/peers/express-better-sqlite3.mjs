import express from "express";
import pino from "pino";
import { z } from "zod";
import { openStore } from "./better-sqlite3-store.mjs";

const status = z.enum(["available", "pending", "sold"]).optional();
const newPet = z.object({ name: z.string(), categoryId: z.int(), status });
const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  status,
  before: z.coerce.number().int().min(1).optional(),
});
const petPath = z.object({ petId: z.coerce.number().int() });

const store = openStore(process.env.DATABASE);
const logger = pino(pino.destination({ dest: 1, minLength: 4096, sync: false }));
const app = express();
app.disable("x-powered-by");
app.use(logRequest);
app.use(authenticate);
app.use(express.json({ limit: 65_536 }));

app.get("/v1/pets", (request, response) => {
  const { limit, status, before } = pageQuery.parse(request.query);
  const found = store.listPets({ limit: limit + 1, status, before });
  if (found.length > limit) {
    found.pop();
    const filter = status === undefined ? "" : `&status=${status}`;
    response.links({
      next: `http://${request.get("host")}/v1/pets?limit=${limit}${filter}&before=${found.at(-1).id}`,
    });
  }
  response.json(found);
});

app.get("/v1/pets/:petId", (request, response) => {
  const { petId } = petPath.parse(request.params);
  const found = store.getPet(petId);
  if (found === undefined) return refuse(response, 404, "not_found", `There is no animal ${petId}.`);
  response.json(found);
});

app.post("/v1/pets", (request, response) => {
  const pet = newPet.parse(request.body);
  const name = request.get("idempotency-key");
  const made =
    name === undefined ? { pet: store.createPet(pet) } : store.createOnce(request.key.id, name, pet);
  if (made.isReused)
    return refuse(response, 422, "idempotency_key_reused", "This Idempotency-Key was already used.");
  response
    .status(201)
    .location(`http://${request.get("host")}/v1/pets/${made.pet.id}`)
    .json(made.pet);
});

app.use((_request, response) => refuse(response, 404, "not_found", "There is nothing here."));
app.use((error, _request, response, _next) =>
  error instanceof z.ZodError
    ? refuse(response, 400, "invalid_parameter", z.prettifyError(error))
    : refuse(response, error.status ?? 500, "internal_error", "Something went wrong."),
);
app.listen(Number(process.env.PORT), "127.0.0.1");

function logRequest({ method, originalUrl: url }, response, next) {
  const startedAt = performance.now();
  response.on("finish", () => {
    const responseTime = performance.now() - startedAt;
    logger.info({ method, url, status: response.statusCode, responseTime }, "request");
  });
  next();
}

function authenticate(request, response, next) {
  const [, token] = /^bearer +(\S+)$/i.exec(request.get("authorization") ?? "") ?? [];
  request.key = token === undefined ? undefined : store.findKey(token);
  if (request.key === undefined) {
    response.set("WWW-Authenticate", 'Bearer realm="petstore", error="invalid_token"');
    return refuse(response, 401, "unauthorized", "The API key is invalid, expired or revoked.");
  }
  if (request.method !== "GET" && request.key.access !== "read-write")
    return refuse(response, 403, "forbidden", "This API key may only read.");
  next();
}

function refuse(response, status, code, message) {
  response.status(status).json({ code, message, status });
}
