import { Database } from "bun:sqlite";
import { zValidator } from "@hono/zod-validator";
import { and, desc, eq, lt, type Placeholder, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { etag } from "hono/etag";
import { createMiddleware } from "hono/factory";
import { HTTPException } from "hono/http-exception";
import pino from "pino";
import { z } from "zod";

const STATUSES = ["available", "pending", "sold"] as const;

const pets = sqliteTable("pet", {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  categoryId: integer("category_id").notNull(),
  status: text({ enum: STATUSES }),
});
const apiKeys = sqliteTable("api_key", {
  id: integer().primaryKey(),
  tokenHash: blob("token_hash", { mode: "buffer" }).notNull(),
  access: text({ enum: ["read", "read-write"] }).notNull(),
  expiresAt: integer("expires_at"),
  revokedAt: integer("revoked_at"),
});
const records = sqliteTable(
  "idempotency_record",
  {
    apiKeyId: integer("api_key_id").notNull(),
    idempotencyKey: text("idempotency_key").notNull(),
    fingerprint: blob({ mode: "buffer" }).notNull(),
    body: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (record) => [primaryKey({ columns: [record.apiKeyId, record.idempotencyKey] })],
);

const status = z.enum(STATUSES).optional();
const newPet = z.object({ name: z.string(), categoryId: z.int(), status });
const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  status,
  before: z.coerce.number().int().min(1).optional(),
});
const petPath = z.object({ petId: z.coerce.number().int() });

type NewPet = z.infer<typeof newPet>;
type Row = typeof pets.$inferSelect;
type Key = typeof apiKeys.$inferSelect;

const client = new Database(process.env["DATABASE"] ?? "", { strict: true });
client.run(
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000",
);
const db = drizzle({ client });

// A bare `LIMIT ?` makes SQLite plan the statement again at every execution.
const limit = sql`CAST(${sql.placeholder("limit")} AS INTEGER)` as unknown as Placeholder;
const isBefore = lt(pets.id, sql.placeholder("before"));
const hasStatus = eq(pets.status, sql.placeholder("status"));
const pageWhere = (where: ReturnType<typeof and>) =>
  db.select().from(pets).where(where).orderBy(desc(pets.id)).limit(limit).prepare();
const pages = {
  all: pageWhere(undefined),
  before: pageWhere(isBefore),
  status: pageWhere(hasStatus),
  both: pageWhere(and(hasStatus, isBefore)),
};
const selectPet = db
  .select()
  .from(pets)
  .where(eq(pets.id, sql.placeholder("id")))
  .prepare();
const selectKey = db
  .select()
  .from(apiKeys)
  .where(eq(apiKeys.tokenHash, sql.placeholder("hash")))
  .prepare();
const insertPet = db
  .insert(pets)
  .values({
    name: sql.placeholder("name"),
    categoryId: sql.placeholder("categoryId"),
    status: sql.placeholder("status"),
  })
  .returning()
  .prepare();
const isRecorded = and(
  eq(records.apiKeyId, sql.placeholder("apiKeyId")),
  eq(records.idempotencyKey, sql.placeholder("idempotencyKey")),
);
const selectRecord = db.select().from(records).where(isRecorded).prepare();
const insertRecord = db
  .insert(records)
  .values({
    apiKeyId: sql.placeholder("apiKeyId"),
    idempotencyKey: sql.placeholder("idempotencyKey"),
    fingerprint: sql.placeholder("fingerprint"),
    body: sql.placeholder("body"),
    createdAt: sql.placeholder("createdAt"),
  })
  .prepare();

const logger = pino(pino.destination({ dest: 1, minLength: 4096, sync: false }));
const app = new Hono<{ Variables: { key: Key } }>();

app.use(async (c, next) => {
  const startedAt = performance.now();
  await next();
  const responseTime = performance.now() - startedAt;
  logger.info({ method: c.req.method, url: c.req.url, status: c.res.status, responseTime }, "request");
});
app.use(
  createMiddleware<{ Variables: { key: Key } }>(async (c, next) => {
    const [, token] = /^bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "") ?? [];
    const key = token === undefined ? undefined : findKey(token);
    if (key === undefined) {
      c.header("WWW-Authenticate", 'Bearer realm="petstore", error="invalid_token"');
      return c.json(refusal(401, "unauthorized", "The API key is invalid, expired or revoked."), 401);
    }
    if (c.req.method !== "GET" && key.access !== "read-write")
      return c.json(refusal(403, "forbidden", "This API key may only read."), 403);
    c.set("key", key);
    return next();
  }),
);
// It compares the tag that a handler gave; to make one itself, it would read the response again as a stream.
app.use(etag());

app.get("/v1/pets", zValidator("query", pageQuery, refuseInvalid), (c) => {
  const { limit, status, before } = c.req.valid("query");
  const found = listPets({ limit: limit + 1, status, before });
  if (found.length > limit) {
    found.pop();
    const filter = status === undefined ? "" : `&status=${status}`;
    const next = `http://${c.req.header("host")}/v1/pets?limit=${limit}${filter}&before=${found.at(-1)?.id}`;
    c.header("Link", `<${next}>; rel="next"`);
  }
  return tagged(c, found.map(toPet));
});

app.get("/v1/pets/:petId", zValidator("param", petPath, refuseInvalid), (c) => {
  const { petId } = c.req.valid("param");
  const found = selectPet.get({ id: petId });
  return found === undefined
    ? c.json(refusal(404, "not_found", `There is no animal ${petId}.`), 404)
    : tagged(c, toPet(found));
});

app.post("/v1/pets", bodyLimit({ maxSize: 65_536 }), zValidator("json", newPet, refuseInvalid), (c) => {
  const pet = c.req.valid("json");
  const name = c.req.header("idempotency-key");
  const made = name === undefined ? createPet(pet) : createOnce(c.get("key").id, name, pet);
  if (made === undefined)
    return c.json(refusal(422, "idempotency_key_reused", "This Idempotency-Key was already used."), 422);
  c.header("Location", `http://${c.req.header("host")}/v1/pets/${made.id}`);
  return c.json(made, 201);
});

app.notFound((c) => c.json(refusal(404, "not_found", "There is nothing here."), 404));
app.onError((error, c) => {
  const status = error instanceof HTTPException ? error.status : 500;
  return c.json(refusal(status, "internal_error", "Something went wrong."), status);
});

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env["PORT"]),
  development: false,
  fetch: app.fetch,
});

function findKey(token: string): Key | undefined {
  const key = selectKey.get({ hash: Bun.CryptoHasher.hash("sha256", token) });
  if (key === undefined || key.revokedAt !== null) return undefined;
  return key.expiresAt === null || key.expiresAt > Date.now() ? key : undefined;
}

function listPets(filter: z.infer<typeof pageQuery>): Row[] {
  const { status, before } = filter;
  if (status === undefined) return (before === undefined ? pages.all : pages.before).all(filter);
  return (before === undefined ? pages.status : pages.both).all(filter);
}

function createPet({ name, categoryId, status }: NewPet) {
  const made = insertPet.get({ name, categoryId, status: status ?? null });
  if (made === undefined) throw new Error("no row");
  return toPet(made);
}

function createOnce(apiKeyId: number, idempotencyKey: string, pet: NewPet) {
  const fingerprint = Bun.CryptoHasher.hash("sha256", JSON.stringify(pet));
  return db.transaction(
    () => {
      const recorded = selectRecord.get({ apiKeyId, idempotencyKey });
      if (recorded !== undefined)
        return recorded.fingerprint.equals(fingerprint) ? JSON.parse(recorded.body) : undefined;
      const made = createPet(pet);
      const body = JSON.stringify(made);
      insertRecord.run({ apiKeyId, idempotencyKey, fingerprint, body, createdAt: Date.now() });
      return made;
    },
    { behavior: "immediate" },
  );
}

function tagged(c: Context, value: unknown): Response {
  const body = JSON.stringify(value);
  c.header("ETag", `"${Bun.hash(body).toString(36)}"`);
  return c.body(body, 200, { "Content-Type": "application/json" });
}

function toPet({ status, ...pet }: Row) {
  return status === null ? pet : { ...pet, status };
}

function refusal(status: number, code: string, message: string) {
  return { code, message, status };
}

function refuseInvalid(result: { success: boolean }): Response | undefined {
  if (result.success) return undefined;
  return Response.json(refusal(400, "invalid_parameter", "The request is not valid."), { status: 400 });
}
