import { describe, expect, test } from "bun:test";
import { statement } from "../../src/storage/statement.ts";
import { until } from "../until.ts";
import { BEHIND_PROXY } from "./browser-session.ts";
import { openServed } from "./events.ts";
import { nextOf, persist, type Reply } from "./send.ts";
import { makeKey, onBothEngines } from "./server.ts";

const URL_HERE = "https://hooks.example.com/path-Zq91?token=Zq92";
const ENTRIES =
  "SELECT action, actor_kind, address, environment, detail FROM audit_entry WHERE subject = $1 ORDER BY id DESC";
const ALL_TYPES = [
  ...["pet.created", "pet.updated", "pet.deleted", "order.placed", "order.completed", "order.cancelled"],
  ...["category.created", "category.updated", "category.deleted"],
];

onBothEngines(({ useStore }) => {
  const server = useStore({ env: BEHIND_PROXY });

  const call = (request: string, body?: object, headers: Record<string, string> = {}) =>
    server.send(request, { body, headers });
  const codeOf = ({ status, json }: Reply) => [status, json.code];
  async function add(body: object = { url: URL_HERE }): Promise<{ id: number; secret: string }> {
    const reply = await call("POST /webhooks", body);
    expect([reply.status, reply.body]).toEqual([201, expect.stringContaining('"secret":"whsec_')]);
    return reply.json;
  }
  async function addTest(webhookId: number): Promise<number> {
    return (await call(`POST /webhooks/${webhookId}/test`)).json.id;
  }

  /** Runs SQL in the service's database, to do what the background worker would do, or to avoid a long wait. */
  async function run(sql: string): Promise<void> {
    const database = await openServed(server);
    await database.run(statement<[], undefined, string>(sql), []).finally(database.close);
  }

  describe("a webhook", () => {
    test("shows its secret once: 32 bytes, in no other answer, and stored by no cache", async () => {
      const reply = await call("POST /webhooks", { url: URL_HERE, types: ["pet.updated", "pet.created"] });
      const { secret, ...webhook } = reply.json;
      const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      const shown = { id: webhook.id, url: URL_HERE, types: ["pet.updated", "pet.created"], createdAt };
      expect([reply.status, webhook]).toEqual([201, { ...shown, status: "enabled" }]);
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(reply.headers.get("Cache-Control")).toBe("no-store");
      const found = await call(`GET /webhooks/${webhook.id}`);
      expect(found.json).toEqual(webhook);
      expect((await call("GET /webhooks?limit=1")).body).toBe(`[${found.body}]`);
    });

    test("gets all types of events if none are named", async () => {
      const { id } = await add();
      expect((await call(`GET /webhooks/${id}`)).json.types).toEqual(ALL_TYPES);
    });

    test.each([
      ["url must be an http or https URL in ASCII, without a fragment", { url: "https://höks.example.com" }],
      ["url must not contain a user name or a password", { url: "https://ada:pw-Zq93@hooks.example.com" }],
      [
        "url has the private address 127.0.0.1. To deliver there, set PETSTORE_WEBHOOKS_PRIVATE=allow.",
        { url: "http://127.1/Zq94" },
      ],
      ["url has the private address [::ffff:a00:1].", { url: "http://[::ffff:10.0.0.1]/" }],
      ["url has the private address localhost.", { url: "http://localhost:9000/" }],
      [
        "url must be https in production, unless PETSTORE_WEBHOOKS_PRIVATE=allow is set",
        { url: "http://hooks.example.com/Zq95" },
      ],
      [
        "url must have port 80 or 443, or a port of at least 1024",
        { url: "https://hooks.example.com:1023/" },
      ],
      ["secret must be left out: ", { url: URL_HERE, secret: "whsec_Zq96" }],
      ["; url must be a string", { url: 5, secret: null }],
    ] as const)("is refused: %s", async (message, body) => {
      const reply = await call("POST /webhooks", body);
      expect(reply).toMatchObject({ status: 400, json: { code: "invalid_body" } });
      expect(reply.json.message).toContain(message);
      expect(reply.body).not.toMatch(/Zq9/);
      const { id } = await add();
      expect(await call(`PATCH /webhooks/${id}`, body)).toMatchObject({
        status: 400,
        json: { code: "invalid_body" },
      });
      await call(`DELETE /webhooks/${id}`);
    });

    test("may have an address without TLS in staging, and the ports 80, 443 and 1024", async () => {
      const key = await makeKey(server.store, { environment: "staging" });
      for (const port of [80, 443, 1024]) {
        const body = { url: `http://hooks.example.com:${port}/` };
        expect((await server.send(`POST ${server.staging}/webhooks`, { key, body })).status).toBe(201);
      }
    });

    test("can be added disabled, and then accepts no test until it is enabled", async () => {
      const { id, ...added } = await add({ url: URL_HERE, status: "disabled" });
      expect(added).toMatchObject({ status: "disabled" });
      expect(await call(`POST /webhooks/${id}/test`)).toMatchObject({
        status: 409,
        json: { code: "webhook_disabled" },
      });
      await call(`PATCH /webhooks/${id}`, { status: "enabled" });
      expect((await call(`POST /webhooks/${id}/test`)).status).toBe(202);
    });

    test("can be changed, and stays disabled if it was", async () => {
      const { id } = await add();
      await call(`PATCH /webhooks/${id}`, { status: "disabled" });
      expect((await call(`PATCH /webhooks/${id}`, { types: ["pet.sold"] })).status).toBe(400);
      const changes = { types: ["order.placed"], url: "https://hooks.example.com/b" };
      const patched = await call(`PATCH /webhooks/${id}`, changes);
      expect([patched.status, patched.json]).toMatchObject([200, { ...changes, status: "disabled" }]);
    });

    test("can have its secret rotated, and every rotation makes another secret", async () => {
      const { id, secret } = await add();
      const secrets = new Set([secret]);
      for (const body of [{}, { overlapHours: 0 }, { overlapHours: 168 }]) {
        const reply = await call(`POST /webhooks/${id}/rotate-secret`, body);
        expect([reply.status, reply.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
        const found = await call(`GET /webhooks/${id}`);
        expect(found.body).not.toContain("secret");
        expect(reply.headers.get("ETag")).toBe(found.headers.get("ETag"));
        secrets.add(reply.json.secret);
      }
      expect(secrets.size).toBe(4);
    });
  });

  describe("deliveries", () => {
    test("are queued for a test, and dropped when the webhook is disabled", async () => {
      const { id } = await add();
      const once = { "Idempotency-Key": `test-of-${id}` };
      const reply = await call(`POST /webhooks/${id}/test`, undefined, once);
      const delivery = reply.json;
      const { createdAt } = delivery;
      const made = { id: delivery.id, eventId: null, createdAt, nextAttemptAt: createdAt, attempts: [] };
      expect([reply.status, delivery]).toEqual([202, { ...made, type: "webhook.test", status: "queued" }]);
      const path = `/webhooks/${id}/deliveries/${delivery.id}`;
      const replayed = await call(`POST /webhooks/${id}/test`, undefined, once);
      for (const { headers } of [reply, replayed]) expect(headers.get("Location")).toEndWith(`/v1${path}`);
      expect((await call(`GET ${path}`)).json).toMatchObject({ id: delivery.id, createdAt });
      await call(`PATCH /webhooks/${id}`, { status: "disabled" });
      const firstStatus = async () => (await call(`GET /webhooks/${id}/deliveries`)).json[0].status;
      await until(async () => (await firstStatus()) === "dropped");
      expect(Object.keys((await call(`GET ${path}`)).json)).not.toContain("nextAttemptAt");
      for (const request of ["test", `deliveries/${delivery.id}/redeliver`])
        expect(await call(`POST /webhooks/${id}/${request}`)).toMatchObject({
          status: 409,
          json: { code: "webhook_disabled" },
        });
      await call(`PATCH /webhooks/${id}`, { status: "enabled" });
      const again = await call(`POST ${path}/redeliver`);
      expect([again.status, again.json.status]).toEqual([202, "queued"]);
      expect(again.headers.get("Location")).toBe(reply.headers.get("Location"));
    });

    test("are listed newest first with their latest attempts, by status, and page by page", async () => {
      const { id } = await add();
      const other = await add();
      await addTest(other.id);
      const ids = [await addTest(id), await addTest(id), await addTest(id)];
      const [first, second, third] = ids;
      // Waits until each webhook delivery has been attempted. The next attempts follow at least 5 s later.
      await until(async () =>
        (await call(`GET /webhooks/${id}/deliveries`)).json.every(
          ({ attempts }: { attempts: unknown[] }) => attempts.length > 0,
        ),
      );
      await run(`UPDATE delivery SET status = 'failed', due_at = NULL WHERE id = ${second}`);
      await run(`DELETE FROM delivery_attempt WHERE delivery_id = '${second}'`);
      for (let attempt = 0; attempt < 25; attempt++)
        await run(
          `INSERT INTO delivery_attempt (delivery_id, at, duration, status, error) VALUES ('${second}', ${attempt}, 7, ${attempt === 24 ? "NULL, 'ECONNREFUSED'" : "500, NULL"})`,
        );
      const page = await call(`GET /webhooks/${id}/deliveries?limit=2`);
      expect(page.json.map((one: { id: number }) => one.id)).toEqual([third, second]);
      const { attempts } = page.json[1];
      expect([attempts.length, attempts[0], attempts[19]]).toEqual([
        20,
        { createdAt: "1970-01-01T00:00:00.024Z", durationMs: 7, status: null, error: "ECONNREFUSED" },
        { createdAt: "1970-01-01T00:00:00.005Z", durationMs: 7, status: 500, error: null },
      ]);
      const next = nextOf(page) ?? "";
      expect((await server.get(next)).json).toMatchObject([{ id: first, status: "queued" }]);
      expect((await call(`GET /webhooks/${id}/deliveries?status=failed`)).json).toMatchObject([
        { id: second },
      ]);
      expect((await call(`GET /webhooks/${id}/deliveries?status=delivered`)).json).toEqual([]);
      const path = `/webhooks/${other.id}/deliveries/${second}`;
      expect(codeOf(await call(`GET ${path}/redeliver`))[0]).toBe(405);
      for (const request of [`GET ${path}`, `POST ${path}/redeliver`, "GET /webhooks/999999/deliveries/1"])
        expect([request, ...codeOf(await call(request))]).toEqual([request, 404, "not_found"]);
    });

    test("cannot be sent again once their event was pruned", async () => {
      const { id } = await add();
      const delivery = await addTest(id);
      await run(`UPDATE delivery SET event_id = 900000000, status = 'delivered' WHERE id = ${delivery}`);
      const reply = await call(`POST /webhooks/${id}/deliveries/${delivery}/redeliver`);
      expect([reply.status, reply.json.message]).toEqual([
        404,
        `Event 900000000 of delivery ${delivery} has been deleted. Events are kept for PETSTORE_HISTORY_DAYS days.`,
      ]);
    });
  });

  test("the audit log has who changed a webhook and from where, and neither secret nor path", async () => {
    const { id, secret } = await add();
    const from = { "X-Forwarded-For": "198.51.100.77" };
    await call(`PATCH /webhooks/${id}`, { status: "disabled" }, from);
    await call(`PATCH /webhooks/${id}`, { status: "disabled" }, from);
    await call(`POST /webhooks/${id}/rotate-secret`, { overlapHours: 2 }, from);
    await call(`DELETE /webhooks/${id}`, undefined, from);
    const entries = await entriesOf(`webhook ${id}`);
    expect(entries).toEqual([
      "webhook.deleted|key|198.51.100.77|production|https://hooks.example.com",
      "webhook.secret-rotated|key|198.51.100.77|production|https://hooks.example.com, overlap 2 h",
      "webhook.updated|key|198.51.100.77|production|https://hooks.example.com, disabled",
      expect.stringMatching(/^webhook\.created\|key\|(127\.0\.0\.1|::\/64)\|production\|https:/),
    ]);
    expect(entries.join()).not.toMatch(/Zq9/);
    expect(entries.join()).not.toContain(secret);
  });

  /** Returns audit entries from the database in which the change was made. */
  async function entriesOf(subject: string): Promise<readonly string[]> {
    const database = await openServed(server);
    const rows = await database.read(
      statement<[subject: string], string, typeof ENTRIES>(ENTRIES, (row) =>
        [row["action"], row["actor_kind"], row["address"], row["environment"], row["detail"]].join("|"),
      ),
      [subject],
    );
    await database.close();
    return rows;
  }

  test("an environment has at most 50 webhooks, even if many are added concurrently", async () => {
    for (const { id } of (await call("GET /webhooks?limit=100")).json) await call(`DELETE /webhooks/${id}`);
    const replies = await Promise.all(
      Array.from({ length: 90 }, () => persist(() => call("POST /webhooks", { url: URL_HERE }))),
    );
    expect(Map.groupBy(replies, ({ status }) => status).get(201)).toHaveLength(50);
    const refused = replies.filter(({ status }) => status !== 201).map(({ json }) => json);
    const message =
      "An environment can have at most 50 webhooks. Remove a webhook first: DELETE /webhooks/{webhookId}.";
    expect(refused).toEqual(Array(40).fill({ ...refused[0], code: "conflict", status: 409, message }));
    expect((await call("GET /webhooks?limit=100")).json).toHaveLength(50);
  });
});
