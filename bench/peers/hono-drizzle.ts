import { Database } from "bun:sqlite";
import { zValidator } from "@hono/zod-validator";
import { desc, eq, lt, type Placeholder, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { etag } from "hono/etag";
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
const status = z.enum(STATUSES).optional();
const newPet = z.object({ name: z.string(), categoryId: z.int(), status });
const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  before: z.coerce.number().int().min(1).optional(),
});
const petPath = z.object({ petId: z.coerce.number().int() });

type Row = typeof pets.$inferSelect;
type Key = typeof apiKeys.$inferSelect;

const client = new Database(process.env["DATABASE"] ?? "", { strict: true });
client.run(
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000",
);
const db = drizzle({ client });

const { placeholder } = sql;
// `LIMIT ?` is written with a CAST, because SQLite would otherwise plan the statement again at every execution.
const limit = sql`CAST(${placeholder("limit")} AS INTEGER)` as unknown as Placeholder;
const isBefore = lt(pets.id, placeholder("before"));
const selectPage = db.select().from(pets).where(isBefore).orderBy(desc(pets.id)).limit(limit).prepare();
const hasId = eq(pets.id, placeholder("id"));
const selectPet = db.select().from(pets).where(hasId).prepare();
const hasHash = eq(apiKeys.tokenHash, placeholder("hash"));
const selectKey = db.select().from(apiKeys).where(hasHash).prepare();
const pet = {
  name: placeholder("name"),
  categoryId: placeholder("categoryId"),
  status: placeholder("status"),
};
const insertPet = db.insert(pets).values(pet).returning().prepare();

const logger = pino(pino.destination({ dest: 1, minLength: 4096, sync: false }));
const app = new Hono();

app.use(async (c, next) => {
  const startedAt = performance.now();
  await next();
  const responseTime = performance.now() - startedAt;
  logger.info({ method: c.req.method, url: c.req.url, status: c.res.status, responseTime }, "request");
});
app.use(async (c, next) => {
  const [, token] = /^bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "") ?? [];
  const key = token === undefined ? undefined : findKey(token);
  if (key === undefined) {
    c.header("WWW-Authenticate", 'Bearer realm="petstore", error="invalid_token"');
    return c.json(refusal(401, "unauthorized", "The API key is invalid, expired or revoked."), 401);
  }
  if (c.req.method !== "GET" && key.access !== "read-write")
    return c.json(refusal(403, "forbidden", "This API key can only read."), 403);
  return next();
});
// The middleware only compares the ETag that the handler has set. To compute an ETag, it would have to read the response again as a
// stream.
app.use(etag());

app.get("/v1/pets", zValidator("query", pageQuery, refuseInvalid), (c) => {
  const { limit, before = Number.MAX_SAFE_INTEGER } = c.req.valid("query");
  const found = selectPage.all({ limit: limit + 1, before });
  if (found.length > limit) {
    found.pop();
    const next = `http://${c.req.header("host")}/v1/pets?limit=${limit}&before=${found.at(-1)?.id}`;
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
  const { name, categoryId, status = null } = c.req.valid("json");
  const row = insertPet.get({ name, categoryId, status });
  if (row === undefined) throw new Error("no row");
  const made = toPet(row);
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
