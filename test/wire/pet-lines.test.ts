import { expect, test } from "bun:test";
import { until } from "../until.ts";
import { type BrowserSession, signIn, signUp, usePerson } from "./browser-session.ts";
import { onBothEngines } from "./server.ts";

// Tests a console request that contains many changes to animals. Each change must be answered as if it had been sent in a separate
// request.

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const send = async ({ call }: BrowserSession, lines: readonly object[]) => {
  const { status, json } = await call("POST /pet-lines", { lines });
  return { status, answers: json as readonly Answer[] };
};
const jsonOf = ({ body }: Answer | { readonly body: string | null } = { body: null }) =>
  JSON.parse(body ?? "null");
const add = (key: string, members: object = {}) => ({
  method: "POST",
  path: "/pets",
  idempotencyKey: `"import-${key}"`,
  body: { name: key, categoryId: 1, ...members },
});

const patch = (id: number, body: object, rest: object = {}) => ({
  method: "PATCH",
  path: `/pets/${id}`,
  body,
  ...rest,
});
const act = (method: string, path: string, rest: object = {}) => ({ method, path, ...rest });

onBothEngines(
  ({ useStore, freshStore, startProcess }) => {
    const server = useStore();
    const ada = usePerson(server, "ada@example.com");
    const named = async (name: string) => (await server.get(`/pets?name=${name}`)).json;

    test("each line has its own response, and a refused line does not affect the others", async () => {
      const taken = await server.pet({ externalId: "taken" });
      const sent = await send(ada, [
        add("plain", { categoryId: 9 }),
        add("wrong", { status: "lost" }),
        add("numbered", { externalId: "own-1" }),
        add("doubled", { externalId: "taken" }),
        patch(taken, { name: "Renamed" }),
        patch(999_999, { name: "Nobody" }),
        patch(taken, { name: "Too late" }, { ifMatch: '"old"' }),
        act("POST", "/pets", { body: ["no animal"] }),
        { ...add("x"), idempotencyKey: "\u0020" },
        add("last"),
      ]);
      expect([sent.status, sent.answers.map(({ status }) => status)]).toEqual([
        200,
        [201, 400, 201, 409, 200, 404, 412, 400, 400, 201],
      ]);
      const [plain, wrong, numbered, doubled] = sent.answers;
      expect(jsonOf(plain)).toEqual({ id: expect.any(Number), name: "plain", categoryId: 9 });
      expect(plain?.headers).toMatchObject({
        ETag: (await server.get(`/pets/${jsonOf(plain).id}`)).headers.get("ETag"),
        Location: expect.stringMatching(/\/pets\/\d+$/),
      });
      expect(jsonOf(wrong)).toMatchObject({
        code: "invalid_body",
        message: expect.stringContaining("status"),
      });
      expect(jsonOf(numbered).externalId).toBe("own-1");
      expect(jsonOf(doubled).message).toContain('already has the externalId "taken"');
      expect(await named("Renamed")).toHaveLength(1);
      expect(await named("Nobody")).toEqual([]);
    });

    test("animals are removed, ordered and sold by lines, each under its own conditions", async () => {
      const add = () => server.pet({ status: "available" });
      const [kept, gone, sold, freed] = [await add(), await add(), await add(), await add()];
      const { headers } = await server.get(`/pets/${gone}`);
      const first = await send(ada, [
        act("DELETE", `/pets/${kept}`, { ifMatch: '"old"' }),
        act("DELETE", `/pets/${gone}`, { ifMatch: headers.get("ETag") }),
        act("DELETE", "/pets/999999"),
        act("POST", "/store/orders", { body: { petId: sold }, idempotencyKey: '"sold"' }),
        act("POST", "/store/orders", { body: { petId: freed } }),
      ]);
      expect(first.answers.map(({ status }) => status)).toEqual([412, 204, 404, 201, 201]);
      const [, , , order, other] = first.answers.map(jsonOf);
      const again = await send(ada, [
        act("POST", "/store/orders", { body: { petId: sold }, idempotencyKey: '"sold"' }),
        act("POST", "/store/orders", { body: { petId: freed } }),
      ]);
      expect(again.answers.map(({ status }) => status)).toEqual([201, 409]);
      expect(jsonOf(again.answers[0])).toEqual(order);
      const second = await send(ada, [
        act("POST", `/store/orders/${order.id}/complete`),
        act("DELETE", `/store/orders/${other.id}`),
      ]);
      expect(second.answers.map(({ status }) => status)).toEqual([200, 204]);
      const third = await send(ada, [act("DELETE", `/store/orders/${order.id}`)]);
      expect(third.answers.map(({ status }) => status)).toEqual([409]);
      const found = (await server.get(`/pets?id=${[kept, gone, sold, freed]}`)).json;
      expect(
        Object.fromEntries(found.map((pet: { id: number; status: string }) => [pet.id, pet.status])),
      ).toEqual({
        [kept]: "available",
        [sold]: "sold",
        [freed]: "available",
      });
    });

    test("a line that calls anything else is refused with all others, and does not block the next request", async () => {
      for (const [method, path] of [
        ["DELETE", "/categories/1"],
        ["POST", "/keys"],
        ["PATCH", "/pets"],
        ["POST", "/pet-lines"],
      ] as const)
        expect((await send(ada, [add("harmless"), act(method, path)])).status).toBe(400);
      for (const id of ["x", "1?limit=1", "01"])
        expect((await send(ada, [add("harmless"), act("DELETE", `/pets/${id}`)])).status).toBe(404);
      expect(await named("harmless")).toEqual([]);
    });

    test("integers keep every digit", async () => {
      const body =
        '{"lines":[{"method":"POST","path":"/pets","body":{"name":"Exact","categoryId":9007199254740993}}]}';
      const { origin } = new URL(server.production);
      const cookie = ada.cookie() ?? "";
      const reply = await server.send(`POST ${origin}/console/api/pet-lines`, {
        headers: { Origin: origin, Cookie: cookie },
        body,
      });
      expect(reply.json[0].body).toContain('"categoryId":9007199254740993');
    });

    test("a repeated batch changes nothing, and a batch with more lines adds only those", async () => {
      const lines = Array.from({ length: 60 }, (_, index) =>
        add(`again-${index}`, { name: "Again", ...(index % 2 === 0 && { externalId: `again-${index}` }) }),
      );
      const first = await send(ada, lines);
      const second = await send(ada, [...lines, add("again-more", { name: "Again" })]);
      expect(second.answers.slice(0, 60).map(jsonOf)).toEqual(first.answers.map(jsonOf));
      expect(second.answers.map(({ headers }) => headers["Idempotent-Replayed"])).toEqual([
        ...new Array(60).fill("true"),
        undefined,
      ]);
      expect((await server.get("/pets?name=Again&limit=100")).json).toHaveLength(61);
    });

    test("a line and a separate request with the same Idempotency-Key are executed once", async () => {
      const [answer] = (await send(ada, [add("shared")])).answers;
      const alone = await ada.call(
        "POST /pets",
        { name: "shared", categoryId: 1 },
        { "Idempotency-Key": "import-shared" },
      );
      expect([alone.status, alone.json]).toEqual([201, jsonOf(answer)]);
      expect(await named("shared")).toHaveLength(1);
    });

    test("no lines, more than 100, and a viewer are refused; so are keys of the API", async () => {
      const line = add("none");
      for (const lines of [[], new Array(101).fill(line)]) expect((await send(ada, lines)).status).toBe(400);
      expect((await server.post("/pet-lines", { lines: [line] })).status).toBe(404);
      const bea = await signUp(server, "bea@example.com");
      const { id } = (await ada.read("/accounts")).find(({ email }: { email: string }) =>
        email.startsWith("bea"),
      );
      await ada.call(`PATCH /accounts/${id}`, { role: "viewer" });
      expect((await send(bea, [line])).status).toBe(403);
      expect(await named("none")).toEqual([]);
    });

    test("other requests are answered between the lines of a batch", async () => {
      const isOver = { value: false };
      const others: number[] = [];
      async function sendOthers() {
        while (!isOver.value) others.push(await server.pet());
      }
      const sending = [sendOthers(), sendOthers(), sendOthers(), sendOthers()];
      const lines = Array.from({ length: 100 }, () =>
        act("POST", "/pets", { body: { name: "x", categoryId: 3 } }),
      );
      await until(async () => {
        const ids = (await send(ada, lines)).answers.map((answer) => jsonOf(answer).id as number);
        return others.some((id) => id > Math.min(...ids) && id < Math.max(...ids));
      });
      isOver.value = true;
      await Promise.all(sending);
    });

    test("a session sends one batch at a time; two sessions that change the same animals in opposite order both finish", async () => {
      const other = await signIn(server, "ada@example.com");
      const ids = await Promise.all(Array.from({ length: 50 }, () => server.pet()));
      const rename = (name: string) => (id: number) => patch(id, { name });
      const one = ids.map(rename("one"));
      const two = ids.toReversed().map(rename("two"));
      // Repeats the test until both batches of a session are served at the same time. On a busy machine, the second one may arrive
      // too late.
      await until(async () => {
        const replies = await Promise.all([send(ada, one), send(ada, one), send(other, two)]);
        for (const { status, answers } of replies)
          if (status === 200) expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
        // The service refuses one of the two batches of the same session. It may be either of them.
        const [first, second, others] = replies.map(({ status }) => status);
        expect([[200, 429], others]).toEqual([expect.arrayContaining([first, second]), 200]);
        return first !== second;
      });
      expect((await send(ada, one)).status).toBe(200);
    });

    test("a service that is killed during batches has each line completely or not at all, and the next run adds the missing lines", async () => {
      const store = await freshStore();
      const first = await startProcess({ store });
      const person = await signUp(first, "ada@example.com");
      const batches = Array.from({ length: 20 }, (_, batch) =>
        Array.from({ length: 100 }, (__, index) =>
          add(`kill-${batch}-${index}`, { externalId: `kill-${batch}-${index}` }),
        ),
      );
      let done = 0;
      const sending = (async () => {
        for (const batch of batches) {
          await send(person, batch);
          done += 1;
        }
      })().catch((error: unknown) => error);
      await until(() => done >= 2);
      await first.kill();
      await sending;
      const second = await startProcess({ store });
      try {
        const again = await signIn(second, "ada@example.com");
        for (const batch of batches) {
          const { answers } = await send(again, batch);
          expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
        }
        expect((await again.read("/pet-counts")).counts).toContainEqual({ status: null, count: 2_000 });
      } finally {
        await second.stop();
      }
    });
  },
  { always: true },
);
