import { Database } from "bun:sqlite";
import { Elysia, t } from "elysia";
import pino from "pino";

const status = t.Optional(t.Union([t.Literal("available"), t.Literal("pending"), t.Literal("sold")]));
const newPet = t.Object({ name: t.String(), categoryId: t.Integer(), status });
const pageQuery = t.Object({
  limit: t.Integer({ minimum: 1, maximum: 100, default: 20 }),
  before: t.Optional(t.Integer({ minimum: 1 })),
});

type NewPet = typeof newPet.static;
type Pet = NewPet & { readonly id: number };
type Row = { id: number; name: string; categoryId: number; status: NewPet["status"] | null };
type Key = { id: number; access: string; expiresAt: number | null; revokedAt: number | null };

const db = new Database(process.env["DATABASE"] ?? "", { strict: true });
db.run(
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000",
);

const COLUMNS = "SELECT id, name, category_id AS categoryId, status FROM pet";
const selectKey = db.query<Key, [Uint8Array]>(
  "SELECT id, access, expires_at AS expiresAt, revoked_at AS revokedAt FROM api_key WHERE token_hash = ?",
);
const selectPet = db.query<Row, [number]>(`${COLUMNS} WHERE id = ?`);
// `LIMIT ?` is written with a CAST, because SQLite would otherwise plan the statement again at every execution.
const selectPage = db.query<Row, [number, number]>(
  `${COLUMNS} WHERE id < ? ORDER BY id DESC LIMIT CAST(? AS INTEGER)`,
);
const insertPet = db.query<{ id: number }, [string, number, string | null]>(
  "INSERT INTO pet (name, category_id, status) VALUES (?, ?, ?) RETURNING id",
);
const logger = pino(pino.destination({ dest: 1, minLength: 4096, sync: false }));

function toPet({ status, ...pet }: Row): Pet {
  return status === null || status === undefined ? pet : { ...pet, status };
}

function findKey(header: string | undefined): Key | undefined {
  const [, token] = /^bearer +(\S+)$/i.exec(header ?? "") ?? [];
  if (token === undefined) return undefined;
  const key = selectKey.get(Bun.CryptoHasher.hash("sha256", token));
  if (key === null || key.revokedAt !== null) return undefined;
  return key.expiresAt === null || key.expiresAt > Date.now() ? key : undefined;
}

const refusal = (status: number, code: string, message: string) => ({ code, message, status });

// Normalization would remove members that the schema does not name. The handlers never read such members, so normalization is off.
const app = new Elysia({ precompile: true, normalize: false })
  .derive(({ headers }) => ({ key: findKey(headers["authorization"]), startedAt: performance.now() }))
  .onBeforeHandle(({ key, request, set }) => {
    if (key === undefined) {
      set.status = 401;
      set.headers["www-authenticate"] = 'Bearer realm="petstore", error="invalid_token"';
      return refusal(401, "unauthorized", "The API key is invalid, expired or revoked.");
    }
    if (request.method === "GET" || key.access === "read-write") return;
    set.status = 403;
    return refusal(403, "forbidden", "This API key can only read.");
  })
  .onAfterHandle(({ responseValue, request, headers, set }) => {
    if (request.method !== "GET" || (set.status ?? 200) !== 200) return undefined;
    const body = JSON.stringify(responseValue);
    const tag = `W/"${Bun.hash(body).toString(36)}"`;
    set.headers["etag"] = tag;
    if (headers["if-none-match"] === tag) {
      set.status = 304;
      return new Response(null, { status: 304 });
    }
    set.headers["content-type"] = "application/json";
    return body;
  })
  .onAfterResponse(({ request, set, startedAt }) => {
    const responseTime = performance.now() - (startedAt ?? 0);
    logger.info(
      { method: request.method, url: request.url, status: set.status ?? 200, responseTime },
      "request",
    );
  })
  .onError(({ code, set }) => {
    const status = code === "VALIDATION" ? 400 : code === "NOT_FOUND" ? 404 : 500;
    set.status = status;
    return refusal(status, status === 400 ? "invalid_parameter" : "error", String(code));
  });

app.get(
  "/v1/pets",
  ({ query: { limit, before = Number.MAX_SAFE_INTEGER }, headers, set }) => {
    const found = selectPage.all(before, limit + 1);
    if (found.length > limit) {
      found.pop();
      const next = `http://${headers["host"]}/v1/pets?limit=${limit}&before=${found.at(-1)?.id}`;
      set.headers["link"] = `<${next}>; rel="next"`;
    }
    return found.map(toPet);
  },
  { query: pageQuery },
);

app.get(
  "/v1/pets/:petId",
  ({ params: { petId }, set }) => {
    const found = selectPet.get(petId);
    if (found !== null) return toPet(found);
    set.status = 404;
    return refusal(404, "not_found", `There is no animal ${petId}.`);
  },
  { params: t.Object({ petId: t.Integer() }) },
);

app.post(
  "/v1/pets",
  ({ body: { name, categoryId, status = null }, headers, set }) => {
    const made = insertPet.get(name, categoryId, status);
    if (made === null) throw new Error("no row");
    set.status = 201;
    set.headers["location"] = `http://${headers["host"]}/v1/pets/${made.id}`;
    return toPet({ id: made.id, name, categoryId, status });
  },
  { body: newPet },
);

app.listen({ hostname: "127.0.0.1", port: Number(process.env["PORT"]) });
