import { expect, test } from "bun:test";
import { usePerson } from "./browser-session.ts";
import { onBothEngines } from "./server.ts";

onBothEngines(({ useStore }) => {
  const server = useStore();
  const ada = usePerson(server, "ada@example.com");

  const rowsOf = async (path: string) => await ada.read(`${path}`);

  test("the console's rows carry the resource's tag from the API; the API's rows do not", async () => {
    const pet = await server.post(
      "/pets",
      '{"name":"Näme","categoryId":9007199254740993,"status":"available"}',
    );
    const category = await server.post("/categories", '{"name":"Cats","description":""}');
    const order = await server.post("/store/orders", '{"petId":1,"shipDate":"2030-01-01T00:00:00Z"}');
    const pending = await server.get("/pets/1");
    expect(pending.headers.get("ETag")).not.toBe(pet.headers.get("ETag"));
    for (const [path, shown] of [
      ["/pets", pending],
      ["/categories", category],
      ["/store/orders", order],
    ] as const) {
      const { etag, ...row } = (await rowsOf(path))[0];
      expect([path, etag, row]).toEqual([path, shown.headers.get("ETag"), shown.json]);
      const own = await server.get(path);
      expect(own.body).not.toContain("etag");
    }
  });

  test("the console lists every category number that animals use, named or not, with the number of animals", async () => {
    for (const categoryId of [-5, -5, -4, -3, -2, -1]) await server.add("/pets", { name: "x", categoryId });
    await server.add("/categories", { id: -4, name: "Fish" });
    const { used, hasMore } = await rowsOf("/used-categories");
    expect(used.slice(0, 2)).toEqual([
      { id: -5, isNamed: false, count: 2 },
      { id: -4, isNamed: true, count: 1 },
    ]);
    const ids = used.map(({ id }: { id: number }) => id);
    expect([ids.slice(0, 5), hasMore]).toEqual([[-5, -4, -3, -2, -1], false]);
  });

  test("the console lists which animals have an open order", async () => {
    const add = async () => await server.pet({ name: "Ordered" });
    const [open, ended, none] = [await add(), await add(), await add()];
    const order = await server.order(open);
    const other = await server.order(ended);
    await ada.call(`POST /store/orders/${other}/complete`);
    expect(await rowsOf(`/open-orders?id=${open},${ended},${none}`)).toEqual([
      { petId: open, orderId: order },
    ]);
  });

  test("the last change of each animal says when and who, by a person's address or a key's name", async () => {
    const add = async () => await server.add("/pets", '{"name":"Late","categoryId":1}');
    const [added, changed, removed] = [await add(), await add(), await add()];
    const { status } = await ada.call(`PATCH /pets/${changed}`, { status: "available" });
    await ada.call("POST /store/orders", { petId: changed });
    expect([status, (await ada.call(`DELETE /pets/${removed}`)).status]).toEqual([200, 204]);
    const newest = () => rowsOf(`/events?petId=${changed}&type=pet.updated&limit=1`);
    let [event] = await newest();
    // On PostgreSQL, an event gets its number only some time after the commit.
    while (event?.data.status !== "pending") [event] = await newest();
    const found: { petId: number; createdAt: string; actor: { kind: string; name: string } }[] = await rowsOf(
      `/last-changes?id=${added},${changed},999999999`,
    );
    expect(found.map(({ petId, actor }) => [petId, actor.kind, actor.name])).toEqual([
      [added, "key", expect.any(String)],
      [changed, "person", "ada@example.com"],
    ]);
    expect(found[1]?.createdAt).toBe(event.createdAt);
    expect((await ada.call("GET /last-changes?id=x")).status).toBe(400);
  });
});
