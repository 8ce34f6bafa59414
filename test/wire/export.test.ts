import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { answer, type FlawedServer, startFlawedServer } from "../client/flawed-server.ts";
import { until } from "../until.ts";
import { outcomeOf, PROGRAM } from "./process.ts";
import { userWithKey, useUser } from "./remote.ts";
import { send } from "./send.ts";
import { useStore } from "./server.ts";

const server = useStore();
const user = useUser(server);
beforeAll(async () => {
  await server.post("/categories", { id: 1, name: "=Cats", description: "Soft, warm" });
  for (const pet of [
    { name: 'Ada, "the first"\r\nof her name', categoryId: 1, status: "sold" },
    { name: "Grace", categoryId: 1 },
    { name: "Edsger", categoryId: 2, status: "available" },
  ])
    await send("POST", `${server.production}/pets`, { key: user.key, body: JSON.stringify(pet) });
});

const pathOf = (name: string) => join(user.folder, name);
const userAt = ({ origin }: FlawedServer) => userWithKey(server, { PETSTORE_URL: `${origin}/v1` });
const pageWithName = (name: string) => answer(200, [{ id: 1, name, categoryId: 1 }]);

describe("petstore pets export", () => {
  test("writes CSV as in RFC 4180 to standard output, newest first", async () => {
    const { code, out, err } = await user.run(["pets", "export", "--category", "1"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(
      /^id,name,categoryId,status,externalId\r\n\d+,Grace,1,,\r\n\d+,"Ada, ""the first""\r\nof her name",1,sold,\r\n$/,
    );
    const safe = await user.run(["pets", "export", "--category", "1", "--safe"]);
    expect(safe.out).toMatch(
      /^\ufeff?ID,Name \(safe\),Category number \(safe\),Category name \(safe\),Status,Own number \(safe\)\r\n\d+,Grace,1,'=Cats,,\r\n\d+,"Ada, ""the first""\\u000d\\u000aof her/,
    );
    expect(await user.run(["pets", "export", pathOf("safe.jsonl"), "--safe"])).toMatchObject({
      code: 2,
      err: "petstore: --safe works only for CSV, but the format is jsonl. Leave out --safe, or set --format csv.\n",
    });
  });

  test("writes JSON Lines, or the format of the file's extension; filters as the list does", async () => {
    const { out } = await user.run(["pets", "export", "--format", "jsonl", "--status", "sold"]);
    const { id: _, ...ada } = JSON.parse(out);
    expect(ada).toEqual({ name: 'Ada, "the first"\r\nof her name', categoryId: 1, status: "sold" });
    const { code, err } = await user.run(["pets", "export", pathOf("sold.jsonl"), "--status", "sold"]);
    expect([code, err]).toEqual([0, `Wrote 1 animal to ${pathOf("sold.jsonl")}.\n`]);
    expect(readFileSync(pathOf("sold.jsonl"), "utf8")).toBe(out);
    expect((statSync(pathOf("sold.jsonl")).mode & 0o777).toString(8)).toBe("600");
  });

  test("an empty store's file still names its columns", async () => {
    expect((await user.run(["pets", "export", "--category", "404"])).out).toBe(
      "id,name,categoryId,status,externalId\r\n",
    );
  });

  test("overwrites only with --force, and leaves nothing half-written behind", async () => {
    writeFileSync(pathOf("kept.csv"), "precious");
    const refused = await user.run(["pets", "export", pathOf("kept.csv")]);
    expect([refused.code, refused.err]).toEqual([
      1,
      `petstore: ${pathOf("kept.csv")} already exists. Choose another name, or overwrite the file with --force.\n`,
    ]);
    expect(readFileSync(pathOf("kept.csv"), "utf8")).toBe("precious");
    expect((await user.run(["pets", "export", pathOf("kept.csv"), "--force"])).code).toBe(0);
    expect(readFileSync(pathOf("kept.csv"), "utf8")).toContain("Edsger");
    const lost = await userWithKey(server, { PETSTORE_URL: "http://127.0.0.1:9/v1" });
    expect((await lost.run(["pets", "export", pathOf("lost.csv")])).code).toBe(1);
    expect(existsSync(pathOf("lost.csv"))).toBe(false);
    expect((await user.run(["pets", "export", pathOf("nowhere/all.csv")])).err).toBe(
      `petstore: There is no folder ${pathOf("nowhere")}. Create it, or choose another.\n`,
    );
    expect(readdirSync(user.folder).filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("leaves no file behind when it is interrupted, and exits with 130", async () => {
    const slow = await startFlawedServer(({ target, headers }, count) => {
      const Link = `<http://${headers["host"]}${target}&cursor=2>; rel="next"`;
      return count === 1 ? answer(200, [{ id: 2, name: "A", categoryId: 1 }], { Link }) : "silence";
    });
    const patient = await userAt(slow);
    const child = patient.begin(["pets", "export", join(patient.folder, "half.csv")]);
    await until(() => slow.seen.length === 2);
    child.kill("SIGINT");
    expect(await outcomeOf(child)).toEqual({ code: 130, out: "", err: "petstore: Interrupted.\n" });
    expect(readdirSync(patient.folder)).toEqual([]);
    slow.stop();
  });

  test("ends when it is interrupted while nobody reads its output", async () => {
    const full = await startFlawedServer(() => pageWithName("x".repeat(4_000_000)));
    const stuck = await userAt(full);
    await Bun.$`mkfifo ${join(stuck.folder, "pipe")}`;
    const pipe = await open(join(stuck.folder, "pipe"), "r+");
    // The command makes its output non-blocking, and with it every descriptor of the same opening. A read that begins after that would
    // not wait, so the pipe is opened again.
    const reader = await open(join(stuck.folder, "pipe"), "r");
    const child = Bun.spawn([...PROGRAM.command, "pets", "export"], {
      env: stuck.env,
      stdout: pipe.fd,
      stderr: "pipe",
    });
    // When the first byte has arrived, the command writes the rest, which is more than the pipe can hold.
    await reader.read(new Uint8Array(1), 0, 1);
    child.kill("SIGINT");
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([
      130,
      "petstore: Interrupted.\n",
    ]);
    await Promise.all([reader.close(), pipe.close()]);
    full.stop();
  });

  test("a write that a full disk cuts short is a failure, and leaves no file behind", async () => {
    const long = await startFlawedServer(() => pageWithName("x".repeat(100_000)));
    const cramped = await userAt(long);
    const file = join(cramped.folder, "cut.csv");
    // `ulimit -f` limits the size of files, in blocks of 1,024 bytes. The command's only write exceeds the limit, so the system
    // writes only a part and reports its size.
    const limited = `trap "" XFSZ; ulimit -f 60; exec "$@"`;
    const child = Bun.spawn(["bash", "-c", limited, "bash", ...PROGRAM.command, "pets", "export", file], {
      env: cramped.env,
      stdout: "pipe",
      stderr: "pipe",
    });
    const { code, err } = await outcomeOf(child);
    expect([code, err]).toEqual([1, expect.stringContaining("EFBIG")]);
    expect(readdirSync(cramped.folder)).toEqual([]);
    long.stop();
  });

  test("refuses a file without a known extension instead of guessing the format", async () => {
    expect((await user.run(["pets", "export", pathOf("animals.txt")])).code).toBe(2);
  });

  test("every byte arrives, however slowly it is read", async () => {
    const long = Array.from({ length: 400 }, (_, index) => `${index}${"x".repeat(1_000)},31337`).join("\n");
    await user.run(["pets", "import", "-"], `name,categoryId\n${long}`);
    const slowly = `"$@" pets export --category 31337 | { while read -r -N 4096 part; do printf %s "$part"; sleep 0.002; done; printf %s "$part"; }`;
    const child = Bun.spawn(["bash", "-c", slowly, "bash", ...PROGRAM.command], {
      env: user.env,
      stdout: "pipe",
    });
    const read = await new Response(child.stdout).text();
    const { out } = await user.run(["pets", "export", "--category", "31337"]);
    expect([read.length, read === out]).toEqual([out.length, true]);
  });
});

test("categories and orders are exported, orders by the days on which they were completed", async () => {
  const { out } = await user.run(["categories", "export"]);
  expect(out).toMatch(/^id,name,description,createdAt\r\n1,=Cats,"Soft, warm",\d{4}-.*Z\r\n$/);
  await user.run(["categories", "export", pathOf("categories.csv"), "--safe"]);
  expect(readFileSync(pathOf("categories.csv"), "utf8")).toMatch(
    /^\ufeffNumber,Name \(safe\),Description \(safe\),Created\r\n1,'=Cats,"Soft, warm",/,
  );
  const pet = { name: "Ordered", categoryId: 9, status: "available" };
  const { id } = (await server.post("/pets", pet)).json;
  const order = (await server.post("/store/orders", { petId: id })).json;
  await server.post(`/store/orders/${order.id}/complete`, {});
  await user.run(["orders", "export", pathOf("orders.csv"), "--safe"]);
  expect(readFileSync(pathOf("orders.csv"), "utf8")).toMatch(
    new RegExp(
      `^\ufeffOrder,Animal ID,Quantity,State,Placed,Ships,Completed\r\n${order.id},${id},1,complete,`,
    ),
  );
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  for (const [from, before, count] of [
    [day(-2), day(2), 1],
    [day(2), day(3), 0],
    [day(-3), day(-2), 0],
  ] as const) {
    const args = ["orders", "export", "--format", "jsonl", "--from", from, "--before", before];
    expect((await user.run(args)).out.split("\n").length - 1).toBe(count);
  }
  expect((await user.run(["orders", "export", "--from", "2026-02-30"])).err).toContain("Use a date");
});

test("a template is written, and can be imported when it is filled in", async () => {
  const { err } = await user.run(["pets", "template", pathOf("template.csv")]);
  expect(err).toContain("petstore pets import");
  expect(readFileSync(pathOf("template.csv"), "utf8")).toBe("\ufeffName,Category,Status,Own number\r\n");
  expect((await user.run(["pets", "template", pathOf("template.csv")])).code).toBe(1);
});
