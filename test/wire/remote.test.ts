import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { PROGRAM } from "./process.ts";
import { userWithKey, useUser } from "./remote.ts";
import { makeKey, useStore } from "./server.ts";

// Runs commands that use a petstore server over the network, as programs and people would.

const server = useStore();
const user = useUser(server);

const LARGEST = "9223372036854775807";

describe("petstore pets", () => {
  test("add prints the animal as a table, and list shows it first", async () => {
    const added = await user.run(["pets", "add", "Fluffy", "--category", "1", "--status", "available"]);
    const out = expect.stringMatching(/^ID +NAME +CATEGORY +STATUS\n\d+ +Fluffy +1 +available\n$/);
    expect(added).toEqual({ code: 0, out, err: "" });
    const listed = await user.run(["pets", "list", "--limit", "1"]);
    expect(listed.out).toBe(added.out);
  });

  test("integers keep every digit, in tables and in JSON", async () => {
    const { out } = await user.run(["pets", "add", "Huge", "--category", LARGEST, "--json"]);
    expect(out).toContain(`"categoryId": ${LARGEST}`);
    expect((await user.run(["pets", "list", "--category", LARGEST])).out).toContain(` ${LARGEST}`);
    expect((await user.run(["pets", "list", "--category", LARGEST, "--json"])).out).toContain(LARGEST);
    const smallest = await user.run(["pets", "add", "Tiny", "--category", "-9223372036854775808"]);
    expect(smallest.out).toContain("-9223372036854775808");
  });

  test("list accepts a status, a category and identifiers, and says when there are more animals", async () => {
    const ids: number[] = [];
    for (const name of ["Ada", "Grace", "Edsger"])
      ids.push(await server.add("/pets", { name, categoryId: 77, status: "sold" }));
    const names = async (...args: string[]) =>
      (await user.json<{ name: string }[]>("pets", "list", ...args)).map(({ name }) => name);
    expect(await names("--category", "77", "--status", "sold")).toEqual(["Edsger", "Grace", "Ada"]);
    expect(await names("--category", "77", "--status", "pending")).toEqual([]);
    expect(await names("--id", `${ids[0]},${ids[2]}`)).toEqual(["Edsger", "Ada"]);
    const cut = await user.run(["pets", "list", "--category", "77", "--limit", "2"]);
    expect(cut.out.trim().split("\n")).toHaveLength(3);
    expect(cut.err).toBe(
      "There are more animals than shown. Set a higher --limit, or show all with --all.\n",
    );
    expect((await user.run(["pets", "list", "--category", "77", "--limit", "3"])).err).toBe("");
  });

  test("list --all and a high --limit read every page", async () => {
    const lines = Array.from({ length: 250 }, (_, index) => `Paged ${index},4242`).join("\n");
    expect((await user.run(["pets", "import", "-"], `name,categoryId\n${lines}`)).code).toBe(0);
    for (const many of [["--all"], ["--limit", "1000000000"]])
      expect(await user.json<unknown[]>("pets", "list", "--category", "4242", ...many)).toHaveLength(250);
    expect(await user.json<unknown[]>("pets", "list", "--category", "4242")).toHaveLength(20);
    const table = await user.run(["pets", "list", "--category", "4242", "--limit", "150"]);
    expect(table.out.trim().split("\n")).toHaveLength(151);
  });

  test("an empty list is a sentence for people, and an empty array for programs", async () => {
    expect(await user.run(["pets", "list", "--category", "999999"])).toEqual({
      code: 0,
      out: "",
      err: "There are no animals to show.\n",
    });
    expect((await user.run(["pets", "list", "--category", "999999", "--json"])).out).toBe("[]\n");
  });

  test("update changes the members given and leaves the rest; none removes the status", async () => {
    const id = await server.add("/pets", { name: "Rex", categoryId: 2, status: "sold" });
    const updated = await user.json("pets", "update", String(id), "--name", "Rex II", "--status", "none");
    expect(updated).toEqual({ id, name: "Rex II", categoryId: 2 });
    const nothing = await user.run(["pets", "update", String(id)]);
    expect(nothing).toEqual({
      code: 2,
      out: "",
      err: "petstore: There is nothing to change. Set --name, --category, --status or --external-id.\n",
    });
  });

  test("remove removes an animal, and exits with 1 the second time", async () => {
    const id = await server.add("/pets", { name: "Gone", categoryId: 1 });
    expect(await user.run(["pets", "remove", String(id)])).toEqual({
      code: 0,
      out: "",
      err: `Animal ${id} is removed.\n`,
    });
    const { code, err } = await user.run(["pets", "remove", String(id)]);
    expect(code).toBe(1);
    expect(err).toMatch(/^petstore: .*\. \(request [\w-]+\)\n$/);
  });

  test("remove of several animals removes each, says which could not be removed, and exits with 1", async () => {
    const add = async (name: string) => String(await server.add("/pets", { name, categoryId: 1 }));
    const [one, two, three] = [await add("One"), await add("Two"), await add("Three")];
    const first = await user.run(["pets", "rm", one, "999999", two]);
    expect([first.code, first.out]).toEqual([1, ""]);
    expect(first.err.split("\n")).toEqual([
      `Animal ${one} is removed.`,
      `Animal ${two} is removed.`,
      expect.stringMatching(/^petstore: There is no animal 999999\. \(request [\w-]+\)$/),
      "",
    ]);
    expect((await user.run(["pets", "list", "--id", `${one},${two}`, "-q"])).out).toBe("");
    const again = await user.run(["pets", "rm", two, three, "--json"]);
    expect([again.code, JSON.parse(again.out)]).toEqual([1, [{ id: Number(three) }]]);
    const tagged = await user.run(["pets", "rm", one, two, "--if-match", "x"]);
    expect([tagged.code, tagged.err]).toEqual([
      2,
      "petstore: --if-match takes the ETag of one animal. Give only one identifier.\n",
    ]);
  });

  test("a name cannot move the cursor, because control characters are escaped", async () => {
    const name = "\x1b[2J\x9b31mevil\u202e\r\nname\x07";
    const { id } = await user.json<{ id: number }>("pets", "add", name, "--category", "1");
    const { out } = await user.run(["pets", "list", "--id", String(id)]);
    expect(out).toContain("\\u001b[2J\\u009b31mevil\\u202e\\r\\nname\\u0007");
    expect(out).not.toMatch(/[^\n\x20-\x7e]/);
    const json = (await user.run(["pets", "list", "--id", String(id), "--json"])).out;
    expect(json).not.toMatch(/[^\n\x20-\x7e]/);
    expect(JSON.parse(json)[0].name).toBe(name);
  });
});

describe("petstore orders, categories and messages", () => {
  test("an order is placed, listed and completed; another is cancelled", async () => {
    const petId = await server.pet({ name: "Sold" });
    const args = ["orders", "place", String(petId), "--ship-date", "2030-01-01T00:00:00Z"];
    const placed = await user.json<{ id: number }>(...args);
    const shipDate = "2030-01-01T00:00:00.000Z";
    expect(placed).toMatchObject({ petId, quantity: 1, shipDate, complete: false });
    expect((await user.run(["orders", "list"])).out).toMatch(
      new RegExp(
        `^ID +ANIMAL +QUANTITY +SHIPS +STATE +PLACED +COMPLETED\n${placed.id} +${petId} +1 +2030-01-01T00:00:00.000Z +open +20\\S+Z\n`,
      ),
    );
    const again = await user.run(["orders", "place", String(petId)]);
    expect([again.code, again.out]).toEqual([1, ""]);
    expect((await user.run(["orders", "complete", String(placed.id)])).out).toContain("complete");
    const late = await user.run(["orders", "cancel", String(placed.id)]);
    expect(late.code).toBe(1);
    const other = await server.pet({ name: "Kept" });
    const open = await server.order(other);
    expect((await user.run(["orders", "cancel", String(open)])).err).toBe(`Order ${open} is cancelled.\n`);
  });

  test("a category is added and listed", async () => {
    const args = [
      "categories",
      "add",
      "Cats",
      "--id=-9223372036854775808",
      "--description",
      "Purring animals",
    ];
    expect((await user.run([...args, "--json"])).out).toContain('"id": -9223372036854775808,');
    expect((await user.run(["categories", "list"])).out).toMatch(
      /^ID +NAME +DESCRIPTION +CREATED\n-9223372036854775808 +Cats +Purring animals +20\S+Z\n$/,
    );
    expect(await user.json<unknown[]>("categories", "list", "--all")).toMatchObject([
      { name: "Cats", description: "Purring animals" },
    ]);
  });

  test("a category is shown, updated and removed; animals in it are named", async () => {
    const added = ["categories", "add", "Dogs", "--description", "Barking"];
    const { id, createdAt } = await user.json<{ id: number; createdAt: string }>(...added);
    const change = (...flags: string[]) => user.json("categories", "update", String(id), ...flags);
    expect(await change("--name", "Hounds")).toEqual({
      id,
      name: "Hounds",
      description: "Barking",
      createdAt,
    });
    expect(await change("--description", "")).toEqual({
      id,
      name: "Hounds",
      description: "",
      createdAt,
    });
    expect(await change("--no-description")).toEqual({ id, name: "Hounds", createdAt });
    expect(await user.run(["categories", "update", String(id)])).toEqual({
      code: 2,
      out: "",
      err: "petstore: There is nothing to change. Set --name, --description or --no-description.\n",
    });
    expect((await user.run(["categories", "show", String(id)])).out).toMatch(
      new RegExp(`^ID +NAME +DESCRIPTION +CREATED +ETAG\n${id} +Hounds +${createdAt} +[0-9a-z]+\n$`),
    );
    const petId = await server.add("/pets", { name: "Rex", categoryId: id });
    const refused = await user.run(["categories", "remove", String(id)]);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining(`Category ${id} cannot be removed, because animal ${petId} is in it.`),
    ]);
    const empty = await server.add("/categories", { name: "Parrots" });
    const outcome = { code: 0, out: "", err: `Category ${empty} is removed.\n` };
    expect(await user.run(["categories", "remove", String(empty)])).toEqual(outcome);
    const gone = await user.run(["categories", "delete", String(empty)]);
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining(`There is no category ${empty}.`)]);
  });

  test("a message is sent, from an argument or standard input, and followed", async () => {
    const { id } = await user.json<{ id: string }>("messages", "send", "Hello, World!");
    expect(await user.json("messages", "status", id)).toMatchObject({ id, message: "Hello, World!" });
    const piped = await user.run(["messages", "send", "-", "--json"], "two\nlines");
    expect(JSON.parse(piped.out).message).toBe("two\nlines");
    expect((await user.run(["messages", "status", id])).out).toMatch(
      /^ID +STATUS +SENT +MESSAGE +NEXT ATTEMPT +ATTEMPTS\nmsg_/,
    );
  });
});

describe("what goes wrong", () => {
  test("a read key gets the server's sentence and the request id, without a stack trace", async () => {
    const reader = await makeKey(server.store, { access: "read" });
    const limited = await userWithKey(server, { PETSTORE_KEY: reader });
    expect((await limited.run(["pets", "list"])).code).toBe(0);
    const { code, out, err } = await limited.run(["pets", "add", "X", "--category", "1"]);
    expect([code, out]).toEqual([1, ""]);
    // The command does not suggest another API key, because a key with more access would not help if the account's role is too low.
    const sentence = "This API key can only read, but this operation needs a read-write key.";
    expect(err).toMatch(new RegExp(`^petstore: ${sentence} \\(request [\\w-]+\\)\n$`));
  });

  test("a closed pipe, as with head, ends the command without a message", async () => {
    const long = Array.from({ length: 900 }, (_, index) => `${index}${"x".repeat(250)},31337`).join("\n");
    await user.run(["pets", "import", "-"], `name,categoryId\n${long}`);
    const script = `"$@" pets list --all --category 31337 | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const child = Bun.spawn(["bash", "-c", script, "bash", ...PROGRAM.command], {
      env: user.env,
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await new Response(child.stdout).text()).toMatch(/^ID +NAME +CATEGORY +STATUS\n1\n$/);
    expect(await new Response(child.stderr).text()).toBe("");
  });

  test("a misplaced key is not shown in the error", async () => {
    for (const args of [
      ["pets", "list", `--key=${user.key}`],
      ["login", user.key],
      [user.key],
      ["pets", "remove", user.key],
    ]) {
      const { code, out, err } = await user.run(args);
      expect([code, out]).toEqual([2, ""]);
      expect(err).not.toContain(user.key.slice(9));
    }
  });
});

describe("on a terminal", () => {
  test("the table has colours, and none with NO_COLOR", async () => {
    await server.post("/pets", { name: "Painted", categoryId: 1, status: "available" });
    const { code, screen } = await user.onTerminal(["pets", "list", "--limit", "1"]);
    expect(code).toBe(0);
    expect(screen).toContain("\x1b[32mavailable\x1b[0m");
    const plain = await user.onTerminal(["pets", "list", "--limit", "1"], { env: { NO_COLOR: "1" } });
    expect(plain.screen).toContain("available");
    expect(plain.screen).not.toContain("\x1b");
  });
});

test("an untrusted certificate is reported, with the variable for a private authority", async () => {
  const file = (name: string) => Bun.file(join(import.meta.dir, "../tls", name));
  const served = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert: file("hook.example.test.pem"), key: file("hook.example.test.key.pem") },
    fetch: () => new Response("[]"),
  });
  const env = { PETSTORE_URL: `https://127.0.0.1:${served.port}/v1` };
  const { code, err } = await (await userWithKey(server, env)).run(["pets", "list"]);
  expect(code).toBe(1);
  expect(err).toContain("The service's certificate is not trusted.");
  expect(err).toContain("NODE_EXTRA_CA_CERTS");
  expect(err).not.toContain("Is the service running");
  await served.stop(true);
});

test("every command accepts a category's number or name, and refuses a name that is unknown or ambiguous", async () => {
  for (const name of ["Koi fish", "Doubles", "Doubles"]) await user.run(["categories", "add", name]);
  const { categoryId } = await user.json<{ categoryId: number }>(
    "pets",
    "add",
    "Bubbles",
    "--category",
    "koi FISH",
  );
  const named = await user.run(["pets", "list", "--category", "Koi fish", "-o", "csv"]);
  expect(named.out).toBe((await user.run(["pets", "list", "--category", `${categoryId}`, "-o", "csv"])).out);
  expect(named.out).toMatch(/^id,name,categoryId,status,externalId\r\n\d+,Bubbles,\d+,,\r\n$/);
  expect((await user.run(["pets", "export", "--category", "Koi fish"])).out).toBe(named.out);
  const [id = ""] = /\d+/.exec(named.out) ?? [];
  await user.run(["pets", "update", id, "--category", "7"]);
  expect(await user.json("pets", "update", id, "--category", "Koi fish")).toMatchObject({ categoryId });
  for (const [given, code, says] of [
    ["Unicorns", 1, 'names the category "Unicorns", which does not exist'],
    ["Doubles", 1, "several categories have this name: give the identifier"],
    ["1.5", 2, "Use a 64-bit integer."],
    [" ", 2, "Use a 64-bit integer."],
  ] as const) {
    const refused = await user.run(["pets", "list", "--category", given]);
    expect([given, refused.code, refused.out]).toEqual([given, code, ""]);
    expect(refused.err).toContain(says);
  }
});
