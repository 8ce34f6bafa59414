import { beforeAll, describe, expect, test } from "bun:test";
import { petstore } from "../wire/process.ts";
import { userWithKey, useUser } from "../wire/remote.ts";
import { makeKey, useStore } from "../wire/server.ts";

// Tests command-line options: --output, --quiet and --json, aliases, several identifiers in one call, and options that contradict
// each other.

const server = useStore();
const user = useUser(server);
beforeAll(async () => {
  await server.post("/pets", '{"name":"a \\"quoted\\", tab\\there","categoryId":9223372036854775807}');
  await server.post("/pets", { name: "back\\slash", categoryId: 1, status: "sold" });
});

const printed = async (...args: string[]) => {
  const { code, out, err } = await user.run(args);
  expect([code, err]).toEqual([0, ""]);
  return out;
};

describe("--output", () => {
  test("prints a list as JSON, JSON Lines, CSV, tab-separated values and identifiers", async () => {
    expect(await printed("pets", "list", "-o", "json")).toBe(await printed("pets", "list", "--json"));
    expect(await printed("pets", "ls", "-o", "jsonl")).toBe(
      '{"id":2,"name":"back\\\\slash","categoryId":1,"status":"sold"}\n' +
        '{"id":1,"name":"a \\"quoted\\", tab\\there","categoryId":9223372036854775807}\n',
    );
    expect(await printed("pets", "list", "--output", "csv")).toBe(
      "id,name,categoryId,status,externalId\r\n2,back\\slash,1,sold,\r\n" +
        '1,"a ""quoted"", tab\there",9223372036854775807,,\r\n',
    );
    expect(await printed("pets", "list", "-o", "tsv")).toBe(
      "id\tname\tcategoryId\tstatus\texternalId\n2\tback\\\\slash\t1\tsold\t\n" +
        '1\ta "quoted", tab\\there\t9223372036854775807\t\t\n',
    );
    expect(await printed("pets", "list", "-o", "id")).toBe("2\n1\n");
    expect(await printed("pets", "list", "-q", "--limit", "1")).toBe("2\n");
  });

  test("prints an empty list in the chosen format instead of a sentence", async () => {
    const none = ["pets", "list", "--status", "pending"];
    expect(await printed(...none, "-o", "csv")).toBe("id,name,categoryId,status,externalId\r\n");
    expect(await printed(...none, "-o", "json")).toBe("[]\n");
    expect(await printed(...none, "-o", "jsonl")).toBe("");
    expect(await printed(...none, "-q")).toBe("");
  });

  test("prints one resource in the same formats, with its ETag where show has it", async () => {
    const { etag } = await user.json<{ etag: string }>("pets", "show", "2");
    expect(await printed("pets", "get", "2", "-o", "csv")).toBe(
      `id,name,categoryId,status,externalId,etag\r\n2,back\\slash,1,sold,,${etag}\r\n`,
    );
    expect(await printed("categories", "create", "Cats", "--id", "1", "-o", "jsonl")).toMatch(
      /^\{"id":1,"name":"Cats","createdAt":"[^"]+"\}\n$/,
    );
    expect(await printed("categories", "new", "Dogs", "-q")).toBe("2\n");
    expect(await printed("categories", "update", "2", "--name", "Hounds", "-o", "id")).toBe("2\n");
  });

  test("prints the identifier of what was removed, and nothing with --quiet", async () => {
    for (const name of ["one", "two", "three"]) await printed("categories", "add", name, "-q");
    expect(await printed("categories", "rm", "3", "-o", "id")).toBe("3\n");
    expect(await printed("categories", "delete", "4", "-q")).toBe("");
    expect(await printed("categories", "remove", "5", "-o", "csv")).toBe("id\r\n5\r\n");
  });

  test("prints events with a column for each member", async () => {
    const [head, first] = (await printed("events", "--type", "pet.created", "-o", "tsv")).split("\n");
    expect(head).toBe("id\tcreatedAt\ttype\tenvironment\tactor\trequestId\tdata\tprevious");
    expect(first).toContain('\t{"id":2,"name":"back\\\\\\\\slash","categoryId":1,"status":"sold"}\t');
    expect(
      (await printed("events", "-q"))
        .trim()
        .split("\n")
        .every((line) => /^\d+$/.test(line)),
    ).toBe(true);
  });

  test("formats the operator's lists of keys, accounts and audit entries", async () => {
    const run = async (...args: string[]) => (await petstore(server.store, args)).out;
    const keys = JSON.parse(await run("keys", "ls", "--json"));
    expect(await run("keys", "list", "-q")).toBe(`${keys[0].id}\n`);
    expect(await run("keys", "list", "-o", "csv")).toStartWith("id,environment,access,name,account,");
    expect(await run("accounts", "list", "-o", "id")).toBe("operator@localhost\n");
    const [entry] = (await run("audit", "-o", "jsonl")).trim().split("\n");
    expect(JSON.parse(entry ?? "")).toMatchObject({ action: "key.created", subject: keys[0].id });
    const created = await petstore(server.store, ["keys", "create", "--environment", "staging", "-q"]);
    expect(created).toEqual({ code: 0, out: expect.stringMatching(/^pet_test_\w+\n$/), err: "" });
  });
});

describe("a webhook's secret", () => {
  test("is the only output with --quiet, and a column with --output", async () => {
    const add = ["webhooks", "create", "https://hooks.example.com/x"];
    expect(await printed(...add, "-q")).toMatch(/^whsec_\S+\n$/);
    const [head, row] = (await printed(...add, "-o", "csv")).split("\r\n");
    expect([head?.split(",").at(0), head?.split(",").includes("secret")]).toEqual(["id", true]);
    expect(row).toContain("whsec_");
  });
});

describe("get", () => {
  test("shows several animals in the order given, or none if one is missing", async () => {
    expect(await printed("pets", "get", "2", "1", "-o", "id")).toBe("2\n1\n");
    expect(JSON.parse(await printed("pets", "get", "1", "2", "--json"))).toHaveLength(2);
    expect(await printed("pets", "show", "1", "2")).toMatch(
      /^ID +NAME +CATEGORY +STATUS +ETAG\n1 +a .+\n2 +back.+\n$/,
    );
    expect(await user.run(["pets", "get", "1", "999999", "2"])).toEqual({
      code: 1,
      out: "",
      err: "petstore: There is no animal 999999.\n",
    });
  });
});

describe("--debug", () => {
  test("prints each request and its answer on standard error, and never the key", async () => {
    const { code, out, err } = await user.run(["pets", "get", "2", "-q", "--debug"]);
    expect([code, out]).toEqual([0, "2\n"]);
    expect(err).toMatch(
      /^debug: \d{4}-\S+Z GET http:\/\/\S+\/v1\/pets\?id=2: 200 \(request [\w-]+\) after \d+ ms, attempt 1\n$/,
    );
    const reader = await userWithKey(server, {
      PETSTORE_KEY: await makeKey(server.store, { access: "read" }),
    });
    const refused = await reader.run(["pets", "add", "x", "--category", "1", "--debug"]);
    expect(refused.err).toMatch(
      /^debug: \S+ POST \S+\/v1\/pets: 403 \(request [\w-]+\) after \d+ ms, attempt 1\n/,
    );
    for (const text of [err, refused.err]) expect(text).not.toMatch(/pet_live_/);
  });

  test("numbers the attempts of a request", async () => {
    const lost = await userWithKey(server, { PETSTORE_URL: "http://127.0.0.1:9/v1" });
    const { code, err } = await lost.run(["categories", "add", "Cats", "--debug"]);
    expect(code).toBe(1);
    const lines =
      /^(debug: \S+ POST \S+\/v1\/categories: attempt \d failed, will retry in \d+ ms\n){2}petstore: .+\(3 attempts\)/;
    expect(err).toMatch(lines);
  });
});

test("export --name writes the animals that the words find", async () => {
  expect((await user.run(["pets", "export", "--name", "slash", "--format", "jsonl"])).out).toBe(
    '{"id":2,"name":"back\\\\slash","categoryId":1,"status":"sold"}\n',
  );
});
