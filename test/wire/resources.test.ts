import { describe, expect, test } from "bun:test";
import { isQuickRun } from "../quick-run.ts";
import type { Reply } from "./send.ts";
import { onBothEngines } from "./server.ts";

// Tests rules that apply to all kinds of resources: address and ETag, removal, If-Match (RFC 9110 §13), and concurrent requests.

const ROUNDS = isQuickRun ? 15 : 150;
const tagOf = ({ headers }: Reply) => headers.get("ETag") ?? "";
const outcomeOf = (reply: Reply) => (reply.body === "" ? [reply.status] : [reply.status, reply.json.code]);

interface Kind {
  readonly path: string;
  readonly body: () => object | Promise<object>;
  /** Returns the body of a PATCH request. Orders cannot be patched. */
  readonly patch?: (text: string) => object;
  /** Makes the removal of the resource impossible, so that the service answers 409 to a DELETE request. */
  readonly block?: (id: number) => Promise<Reply>;
}

onBothEngines(
  ({ useStore }) => {
    const server = useStore();
    const place = (petId: number) => server.post("/store/orders", { petId });
    const statusOf = async (petId: number) => (await server.get(`/pets/${petId}`)).json.status;

    const kinds: Readonly<Record<string, Kind>> = {
      "an animal": {
        path: "/pets",
        body: () => ({ name: "x", categoryId: 1, status: "available" }),
        patch: (name) => ({ name }),
        block: place,
      },
      "a category": {
        path: "/categories",
        body: () => ({ name: "x" }),
        patch: (name) => ({ name }),
        block: (categoryId) => server.post("/pets", { name: "x", categoryId }),
      },
      "an order": {
        path: "/store/orders",
        body: async () => ({ petId: await server.pet() }),
        block: (id) => server.post(`/store/orders/${id}/complete`),
      },
      "a webhook": {
        path: "/webhooks",
        body: () => ({ url: "https://hooks.example.com/" }),
        patch: (text) => ({ url: `https://hooks.example.com/${text}` }),
      },
    };

    describe.each(Object.entries(kinds))("%s", (_, { path, body, patch, block }) => {
      const add = async () => server.add(path, await body());
      const get = (id: unknown) => server.get(`${path}/${id}`);
      const remove = (id: unknown, ifMatch?: string) =>
        server.send(
          `DELETE ${path}/${id}`,
          ifMatch === undefined ? {} : { headers: { "If-Match": ifMatch } },
        );
      const change = (id: unknown, ifMatch: string, text: string) =>
        server.send(`PATCH ${path}/${id}`, { body: patch?.(text) ?? {}, headers: { "If-Match": ifMatch } });
      const changeAndRemove = async (id: unknown, ifMatch: string) => [
        ...(patch ? [await change(id, ifMatch, "changed")] : []),
        await remove(id, ifMatch),
      ];

      test("is at its Location with the tag of the 201, and a retry gets the same 201", async () => {
        const headers = { "Idempotency-Key": path };
        const given = await body();
        const made = await server.post(path, given, headers);
        const { secret: _secret, ...shown } = made.json;
        expect(made.headers.get("Location")).toBe(`${server.production}${path}/${shown.id}`);
        const found = await get(shown.id);
        expect([found.body, tagOf(found)]).toEqual([JSON.stringify(shown), tagOf(made)]);
        const again = await server.post(path, given, headers);
        expect([again.status, again.body, again.headers.get("Idempotent-Replayed")]).toEqual([
          ...[201, made.body, "true"],
        ]);
        for (const name of ["Location", "ETag", "Cache-Control"])
          expect([name, again.headers.get(name)]).toEqual([name, made.headers.get(name)]);
      });

      test("is removed once, and its identifier is not used again", async () => {
        const id = await add();
        expect(outcomeOf(await remove(id))).toEqual([204]);
        for (const unknown of [id, "999999", "0", "x", `0${id}`, "9223372036854775808"])
          for (const reply of [await get(unknown), await remove(unknown)])
            expect([unknown, ...outcomeOf(reply)]).toEqual([unknown, 404, "not_found"]);
        expect(await add()).toBe(id + 1);
      });

      test("If-Match: 404 comes first, then 412, then 409", async () => {
        for (const ifMatch of ["*", '"nope"'])
          for (const reply of await changeAndRemove(999_999, ifMatch)) expect(reply.status).toBe(404);
        const id = await add();
        await block?.(id);
        const before = await get(id);
        const tag = tagOf(before);
        for (const ifMatch of ['"nope"', `W/${tag}`, '"a,b" , W/"*"', '"*"', '""'])
          for (const reply of await changeAndRemove(id, ifMatch))
            expect([ifMatch, ...outcomeOf(reply)]).toEqual([ifMatch, 412, "precondition_failed"]);
        for (const reply of await changeAndRemove(id, "nope"))
          expect(reply).toMatchObject({ status: 400, json: { code: "invalid_request" } });
        const [weak] = await changeAndRemove(id, `W/${tag}`);
        expect(weak?.body).toContain("without the W/");
        expect((await get(id)).body).toBe(before.body);
        if (block) for (const ifMatch of ["*", tag]) expect((await remove(id, ifMatch)).status).toBe(409);
      });

      test("If-Match: its own tag matches, by itself or among others, and * matches any", async () => {
        const id = await add();
        if (patch) {
          const changed = await change(id, "*", "a");
          expect([changed.status, tagOf(changed)]).toEqual([200, tagOf(await get(id))]);
          expect((await change(id, `"other", ,"a,b",${tagOf(changed)}`, "b")).status).toBe(200);
        }
        expect((await remove(id, tagOf(await get(id)))).status).toBe(204);
      });

      if (patch)
        test("415 lists the media types of a change", async () => {
          const headers = { "Content-Type": "application/json-patch+json" };
          const reply = await server.send(`PATCH ${path}/1`, { body: {}, headers });
          expect([reply.status, reply.headers.get("Accept-Patch")]).toEqual([
            ...[415, "application/merge-patch+json, application/json"],
          ]);
        });

      if (patch)
        test("two writers with one tag: one 200 and one 412, and the first one's change stays", async () => {
          const id = await add();
          let tag = tagOf(await get(id));
          for (let round = 0; round < ROUNDS; round++) {
            const replies = await Promise.all(["a", "b"].map((text) => change(id, tag, text + round)));
            expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
            const winner = replies.find(({ status }) => status === 200);
            const now = await get(id);
            expect(now.body).toBe(winner?.body ?? "");
            tag = tagOf(now);
          }
          await remove(id);
        });

      if (patch)
        test("a change and a removal with one tag: only one of them happens", async () => {
          for (let round = 0; round < ROUNDS; round++) {
            const id = await add();
            const tag = tagOf(await get(id));
            const replies = await Promise.all([change(id, tag, "kept"), remove(id, tag)]);
            expect(["200,412", "404,204"]).toContain(replies.map(({ status }) => status).join());
            await remove(id);
          }
        });
    });

    /** Starts two requests about the same resource at the same time. */
    type Race = () => Promise<{
      readonly requests: readonly Promise<Reply>[];
      /** The pairs of statuses that the two requests may have, each with a check of the result. */
      readonly outcomes: Readonly<Record<string, (replies: readonly Reply[]) => unknown>>;
    }>;

    async function openOrder() {
      const petId = await server.pet();
      const { id, ...order } = (await place(petId)).json;
      const headers = { "If-Match": tagOf(await server.get(`/store/orders/${id}`)) };
      return {
        petId,
        id,
        order,
        headers,
        cancel: () => server.send(`DELETE /store/orders/${id}`, { headers }),
      };
    }

    const races: Readonly<Record<string, Race>> = {
      async "two orders for one animal"() {
        const petId = await server.pet();
        const isPending = async () => expect(await statusOf(petId)).toBe("pending");
        return {
          requests: [place(petId), place(petId)],
          outcomes: { "201,409": isPending, "409,201": isPending },
        };
      },
      async "an order and a change of the animal's status"() {
        const petId = await server.pet();
        return {
          requests: [place(petId), server.send(`PATCH /pets/${petId}`, { body: { status: "sold" } })],
          outcomes: {
            "201,409": async () => expect(await statusOf(petId)).toBe("pending"),
            "409,200": async () => expect(await statusOf(petId)).toBe("sold"),
          },
        };
      },
      async "two cancellations with the order's tag"() {
        const { petId, cancel } = await openOrder();
        const isFree = async () => expect(await statusOf(petId)).toBe("available");
        return { requests: [cancel(), cancel()], outcomes: { "204,404": isFree, "404,204": isFree } };
      },
      async "two completions with the order's tag"() {
        const { petId, id, headers } = await openOrder();
        const isSold = async () => expect(await statusOf(petId)).toBe("sold");
        const complete = () => server.post(`/store/orders/${id}/complete`, undefined, headers);
        return { requests: [complete(), complete()], outcomes: { "200,412": isSold, "412,200": isSold } };
      },
      async "a cancellation with the order's tag, and its completion"() {
        const { petId, id, cancel } = await openOrder();
        return {
          requests: [cancel(), server.post(`/store/orders/${id}/complete`)],
          outcomes: {
            "204,404": async () => expect(await statusOf(petId)).toBe("available"),
            "412,200": async ([, completed]) => {
              expect(await statusOf(petId)).toBe("sold");
              const shown = await server.get(`/store/orders/${id}`);
              expect(tagOf(shown)).toBe(completed?.headers.get("ETag") ?? "");
            },
          },
        };
      },
      async "an animal added to a category that is removed"() {
        const id = await server.add("/categories", { name: "x" });
        const check = async (status: number, [added]: readonly Reply[]) => {
          expect((await server.get(`/categories/${id}`)).status).toBe(status);
          const { id: petId, categoryId } = added?.json ?? expect.unreachable();
          expect([categoryId, (await server.get(`/pets/${petId}`)).status]).toEqual([id, 200]);
          return petId;
        };
        return {
          requests: [
            server.post("/pets", { name: "x", categoryId: id }),
            server.send(`DELETE /categories/${id}`),
          ],
          outcomes: {
            "201,204": (replies) => check(404, replies),
            "201,409": async (replies) =>
              expect(replies[1]?.json.message).toContain(
                `cannot be removed, because animal ${await check(200, replies)} is in it.`,
              ),
          },
        };
      },
    };

    test.each(Object.entries(races))("at once: %s", async (_, begin) => {
      for (let round = 0; round < ROUNDS; round++) {
        const { requests, outcomes } = await begin();
        const replies = await Promise.all(requests);
        const statuses = replies.map(({ status }) => status).join();
        expect(Object.keys(outcomes)).toContain(statuses);
        await outcomes[statuses]?.(replies);
      }
    });
  },
  { always: true },
);
