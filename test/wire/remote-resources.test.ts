import { describe, expect, test } from "bun:test";
import { refusal, startFlawedServer } from "../client/flawed-server.ts";
import { userWithKey, useUser } from "./remote.ts";
import { useStore } from "./server.ts";

// Tests commands that show a resource with its ETag, and commands that change it only if its ETag has not changed.

const server = useStore();
const user = useUser(server);

interface Shown {
  readonly id: number;
  readonly etag: string;
}

const addPet = async () => String(await server.pet({ name: "Fluffy", categoryId: 77 }));
const place = async (petId: string) => String(await server.add("/store/orders", { petId: Number(petId) }));
const PATHS = { pets: "/pets", categories: "/categories", orders: "/store/orders" } as const;
const tagOf = async (group: keyof typeof PATHS, id: string) =>
  (await server.get(`${PATHS[group]}/${id}`)).headers.get("ETag")?.slice(1, -1) ?? "";

const CHANGED =
  /^petstore: The resource has changed since the version in If-Match\. Read it again, then repeat the change\. \(request [\w-]+\)\n$/;

describe("show", () => {
  test("prints an animal with its ETag, and refuses an identifier that does not exist", async () => {
    const id = await addPet();
    const etag = await tagOf("pets", id);
    expect(etag).toMatch(/^[0-9a-z]+$/);
    expect((await user.run(["pets", "show", id])).out).toMatch(
      new RegExp(`^ID +NAME +CATEGORY +STATUS +ETAG\n${id} +Fluffy +77 +available +${etag}\n$`),
    );
    const pet = { id: Number(id), name: "Fluffy", categoryId: 77, status: "available" };
    expect(await user.json("pets", "show", id)).toEqual({ ...pet, etag });
    expect(await user.run(["pets", "show", "999999"])).toEqual({
      code: 1,
      out: "",
      err: "petstore: There is no animal 999999.\n",
    });
  });

  test("prints an order with its ETag", async () => {
    const petId = await addPet();
    const id = await place(petId);
    const etag = await tagOf("orders", id);
    expect((await user.run(["orders", "show", id])).out).toMatch(
      new RegExp(
        `^ID +ANIMAL +QUANTITY +SHIPS +STATE +PLACED +COMPLETED +ETAG\n${id} +${petId} +1 +open +20[-T:.0-9]+Z +${etag}\n$`,
      ),
    );
    const none = await user.run(["orders", "show", "999999"]);
    expect([none.code, none.err]).toEqual([
      1,
      expect.stringMatching(/^petstore: There is no order 999999\./),
    ]);
  });
});

describe("--if-match", () => {
  test("changes an animal only if it is as it was shown", async () => {
    const id = await addPet();
    const tag = await tagOf("pets", id);
    const rename = (name: string, ifMatch: string) =>
      user.run(["pets", "update", id, "--name", name, "--if-match", ifMatch]);
    expect((await rename("first", tag)).code).toBe(0);
    const remove = (ifMatch: string) => user.run(["pets", "remove", id, "--if-match", ifMatch]);
    for (const refused of [await rename("second", tag), await remove(tag)])
      expect(refused).toEqual({ code: 1, out: "", err: expect.stringMatching(CHANGED) });
    expect((await user.run(["pets", "show", id])).out).toContain(" first ");
    expect((await rename("quoted", `"${await tagOf("pets", id)}"`)).code).toBe(0);
    expect((await rename("weak", `W/"${await tagOf("pets", id)}"`)).code).toBe(0);
    expect((await remove(await tagOf("pets", id))).code).toBe(0);
    expect((await remove("*")).err).toContain("There is no animal");
  });

  test("changes and removes a category only if it is as it was shown", async () => {
    const id = String(await server.add("/categories", { name: "Cats" }));
    const tag = await tagOf("categories", id);
    const change = (...words: string[]) => user.run(["categories", ...words, "--if-match", tag]);
    expect((await change("update", id, "--name", "Felines")).code).toBe(0);
    for (const refused of [await change("update", id, "--name", "Dogs"), await change("remove", id)])
      expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(CHANGED)]);
    const now = await tagOf("categories", id);
    expect((await user.run(["categories", "remove", id, "--if-match", now])).code).toBe(0);
  });

  test("completes or cancels an order only as it was shown", async () => {
    const id = await place(await addPet());
    for (const command of ["cancel", "complete"]) {
      const refused = await user.run(["orders", command, id, "--if-match", "other"]);
      expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(CHANGED)]);
    }
    expect((await user.run(["orders", "cancel", id, "--if-match", await tagOf("orders", id)])).err).toBe(
      `Order ${id} is cancelled.\n`,
    );
  });

  test("is refused without a tag, such as the empty output of a failed command", async () => {
    const id = await addPet();
    for (const tag of ["", 'a"b']) {
      const { code, err } = await user.run(["pets", "remove", id, "--if-match", tag]);
      expect([code, err]).toEqual([2, expect.stringContaining("Use the ETag that the show command prints.")]);
    }
    expect((await user.run(["pets", "show", id])).code).toBe(0);
  });

  test("after an attempt without a response, a refusal says that the change may have been made", async () => {
    const flawed = await startFlawedServer((_, count) =>
      count === 1 ? "hang up" : refusal(412, "precondition_failed"),
    );
    const unlucky = await userWithKey(server, { PETSTORE_URL: `${flawed.origin}/v1` });
    const { code, err } = await unlucky.run(["pets", "update", "1", "--name", "x", "--if-match", "tag"]);
    flawed.stop();
    expect([code, err]).toEqual([
      1,
      "petstore: Refused: precondition_failed. An earlier attempt got no response, but may have made this change.\n",
    ]);
    expect(flawed.seen.map(({ headers }) => headers["if-match"])).toEqual(['"tag"', '"tag"']);
  });
});

describe("orders list", () => {
  test("--pet, --open and --complete filter", async () => {
    const [first, second] = [await addPet(), await addPet()];
    const [open, complete] = [await place(first), await place(second)];
    await server.post(`/store/orders/${complete}/complete`);
    const listed = async (...flags: string[]) =>
      (await user.json<Shown[]>("orders", "list", ...flags)).map(({ id }) => String(id));
    expect(await listed("--pet", first)).toEqual([open]);
    expect(await listed("--pet", first, "--complete")).toEqual([]);
    expect(await listed("--pet", second, "--complete")).toEqual([complete]);
    const stillOpen = await listed("--open");
    expect([stillOpen.includes(open), stillOpen.includes(complete)]).toEqual([true, false]);
    expect(await listed("--complete")).not.toContain(open);
  });
});
