import { beforeAll, describe, expect, test } from "bun:test";
import { send } from "../wire/send.ts";
import { useStore } from "../wire/server.ts";
import { openRawConnection, statusesOf } from "./raw-http.ts";

// Tests request smuggling at the boundary between two requests. Raw bytes are sent through a socket, and the responses are checked.

const PET = '{"name":"x","categoryId":1}';
const CHUNKED_PET = `${PET.length.toString(16)}\r\n${PET}\r\n0\r\n\r\n`;
const END = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

const server = useStore();
let known: string;
beforeAll(() => {
  known = `Host: a\r\nAuthorization: Bearer ${server.key}\r\n`;
});

const get = (target: string, lines = "") => `GET ${target} HTTP/1.1\r\n${known}${lines}\r\n`;
const post = (lines: string, rest: string) =>
  `POST /v1/pets HTTP/1.1\r\n${known}Content-Type: application/json\r\n${lines}\r\n${rest}`;
const chunked = (rest: string) => post("Transfer-Encoding: chunked\r\n", rest);

async function petCount(): Promise<number> {
  return (await server.get("/pets?limit=100")).json.length;
}

/** Returns the statuses of all responses that arrive before the service closes the connection. */
async function statusesFor(bytes: string): Promise<readonly number[]> {
  const connection = await openRawConnection(server.production, bytes);
  await connection.closed;
  return statusesOf(connection.received());
}

async function expectUndone(bytes: string, statuses: readonly number[]): Promise<void> {
  const before = await petCount();
  expect(await statusesFor(bytes)).toEqual(statuses);
  expect(await petCount()).toBe(before);
}

type Case = [given: string, bytes: () => string];

describe("a request that can be read in two ways is refused without being executed, and its connection is closed", () => {
  const smuggled = () => get("/v1/pets");
  const refused: [...Case, status: number][] = [
    [
      "both framings",
      () => post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${smuggled()}`),
      400,
    ],
    ["two lengths", () => post(`Content-Length: 5\r\nContent-Length: ${PET.length}\r\n`, PET), 400],
    ["a list of lengths", () => post("Content-Length: 27, 27\r\n", PET), 400],
    ["a length with a sign", () => post("Content-Length: +27\r\n", PET), 400],
    ["a negative length", () => post("Content-Length: -1\r\n", PET), 400],
    ["a hexadecimal length", () => post("Content-Length: 0x1b\r\n", PET), 400],
    ["a length in two parts", () => post("Content-Length: 2 7\r\n", PET), 400],
    ["a length beyond 64 bits", () => post("Content-Length: 99999999999999999999999\r\n", PET), 400],
    ["a coding that is almost chunked", () => post("Transfer-Encoding: xchunked\r\n", CHUNKED_PET), 400],
    ["a coding before chunked", () => post("Transfer-Encoding: gzip, chunked\r\n", CHUNKED_PET), 400],
    ["a coding after chunked", () => post("Transfer-Encoding: chunked, identity\r\n", CHUNKED_PET), 400],
    [
      "two codings",
      () => post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", CHUNKED_PET),
      400,
    ],
    ["chunks in HTTP/1.0", () => chunked(CHUNKED_PET).replace("HTTP/1.1", "HTTP/1.0"), 400],
    ["a chunk without a size", () => chunked(`zz\r\n${PET}\r\n0\r\n\r\n`), 400],
    ["a chunk size with a prefix", () => chunked(`0x1b\r\n${PET}\r\n0\r\n\r\n`), 400],
    ["a negative chunk size", () => chunked(`-1\r\n${PET}\r\n0\r\n\r\n`), 400],
    ["a chunk size beyond 64 bits", () => chunked(`fffffffffffffffff\r\n${PET}\r\n0\r\n\r\n`), 400],
    ["a chunk longer than its size", () => chunked(`5\r\n${PET}\r\n0\r\n\r\n`), 400],
    ["a chunk without its end", () => chunked(`1b\r\n${PET}0\r\n\r\n`), 400],
    ["chunks with bare line feeds", () => chunked(`1b\n${PET}\n0\n\n`), 400],
    ["a folded line", () => get("/v1/pets", "X-Y: 1\r\n 2\r\n"), 400],
    ["a blank before the colon", () => get("/v1/pets", "X-Y : 1\r\n"), 400],
    ["a line without a colon", () => get("/v1/pets", "XY\r\n"), 400],
    ["a line without a name", () => get("/v1/pets", ": v\r\n"), 400],
    ["a NUL in a line", () => get("/v1/pets", "X-Y: a\0b\r\n"), 400],
    // The runtime's HTTP parser answers 505 if the HTTP version is unknown.
    ["no version", () => "GET /v1/pets\r\n\r\n", 505],
    ["a version that is not ours", () => get("/v1/pets").replace("HTTP/1.1", "HTTP/9.9"), 505],
    ["bare line feeds", () => get("/v1/pets").replaceAll("\r\n", "\n"), 505],
    ["HTTP/2 with prior knowledge", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    ["TLS", () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
    ["no HTTP at all", () => "\x00\x01\x02\r\n\r\n", 400],
  ];
  test.each(refused)("%s", (_, bytes, status) => expectUndone(bytes(), [status]));
});

describe("a request far too large is refused without being read to its end", () => {
  const large: [...Case, status: number][] = [
    ["an address of 100,000 bytes", () => get(`/v1/pets?x=${"a".repeat(100_000)}`), 431],
    ["a line of 100,000 bytes", () => get("/v1/pets", `X: ${"a".repeat(100_000)}\r\n`), 431],
    ["a thousand lines", () => get("/v1/pets", "X: 1\r\n".repeat(1_000)), 431],
    ["a body of 16 exabytes", () => post("Content-Length: 9007199254740991\r\n", PET), 413],
    [
      "a chunk extension of 100,000 bytes",
      () => chunked(`1b;${"a".repeat(100_000)}\r\n${PET}\r\n0\r\n\r\n`),
      413,
    ],
    ["a body of 2,000,000 bytes", () => post("Content-Length: 2000000\r\n", PET), 413],
    ["chunks of 2,000,000 bytes", () => chunked(`1e8480\r\n${" ".repeat(2_000_000)}\r\n0\r\n\r\n`), 413],
  ];
  test.each(large)("%s", async (_, bytes, status) => expect(await statusesFor(bytes())).toEqual([status]));

  test("a method of 5,000 letters closes the connection", async () => {
    const method = "G".repeat(5_000);
    const connection = await openRawConnection(server.production, get("/v1/pets").replace("GET", method));
    await connection.closed;
    expect(connection.received()).toBe("");
  });
});

describe("a body that is slightly too large is read to its end, so that a proxy gets the refusal and keeps its connection", () => {
  const somewhat: Case[] = [
    ["100,000 bytes", () => post("Content-Length: 100000\r\n", " ".repeat(100_000))],
    ["chunks of 100,000 bytes", () => chunked(`186a0\r\n${" ".repeat(100_000)}\r\n0\r\n\r\n`)],
    ["a mebibyte", () => post("Content-Length: 1048576\r\n", " ".repeat(1_048_576))],
  ];
  test.each(somewhat)("%s", async (_, bytes) => {
    const connection = await openRawConnection(server.production, "");
    const sent = Buffer.from(bytes(), "latin1");
    for (let from = 0; from < sent.length; ) {
      from += connection.socket.write(sent.subarray(from));
      if (from < sent.length) await connection.drained();
    }
    await connection.answered(1);
    expect(connection.received()).toContain('"code":"payload_too_large"');
    expect(connection.received()).not.toMatch(/^Connection: close/im);
    connection.socket.write(END);
    await connection.closed;
    expect(statusesOf(connection.received())).toEqual([413, 200]);
  });
});

describe("an odd request that can be read in only one way is read that way, to the byte", () => {
  const answered: [...Case, statuses: readonly number[]][] = [
    ["one length said twice", () => post(`Content-Length: 27\r\nContent-Length: 27\r\n`, PET), [201]],
    ["a coding after a tab", () => post("Transfer-Encoding:\tchunked\r\n", CHUNKED_PET), [201]],
    ["a coding in capitals", () => post("Transfer-Encoding: CHUNKED\r\n", CHUNKED_PET), [201]],
    ["a chunk extension", () => chunked(`1b;a=b\r\n${PET}\r\n0\r\n\r\n`), [201]],
    [
      "one byte a chunk",
      () => chunked(`${[...PET].map((byte) => `1\r\n${byte}\r\n`).join("")}0\r\n\r\n`),
      [201],
    ],
    [
      "a client that sends Expect: 100-continue",
      () => post("Content-Length: 27\r\nExpect: 100-continue\r\n", PET),
      [100, 201],
    ],
    [
      "a GET with a body that looks like a request",
      () => get("/v1/pets", `Content-Length: ${END.length}\r\n`) + END,
      [200],
    ],
    ["twenty requests at once", () => get("/v1/pets").repeat(20), Array(20).fill(200)],
    ["an address with its host", () => get("http://elsewhere/v1/pets"), [200]],
    ["a path traversal", () => get("/v1/../../../etc/passwd"), [404]],
    ["an encoded NUL", () => get("/v1/pets/%00"), [404]],
    ["half an encoded byte", () => get("/v1/pets/%f"), [404]],
    ["bytes that are no UTF-8", () => get("/v1/pets/\xff\xfe"), [404]],
    ["two slashes", () => get("//v1/pets"), [404]],
    ["TRACE", () => get("/v1/pets").replace("GET", "TRACE"), [405]],
    ["ranges", () => get("/v1/pets", "Range: bytes=0-1,2-3\r\n"), [200]],
    ["an upgrade to HTTP/2", () => get("/v1/pets", "Connection: Upgrade\r\nUpgrade: h2c\r\n"), [200]],
  ];
  test.each(answered)("%s", async (_, bytes, statuses) => {
    const connection = await openRawConnection(server.production, bytes());
    await connection.answered(statuses.length);
    expect(statusesOf(connection.received())).toEqual(statuses);
    // The next request gets a correct response, so no byte of the first one was left over.
    connection.socket.write(END);
    await connection.closed;
    expect(statusesOf(connection.received())).toEqual([...statuses, 200]);
    expect(connection.received()).toEndWith('{"status":"ok"}');
  });

  const undone: [...Case, statuses: number[]][] = [
    ["a request behind it", () => post("Content-Length: 27\r\n", PET) + get("/v1/pets"), []],
    ["what is no request behind it", () => `${post("Content-Length: 27\r\n", PET)}GARBAGE\r\n\r\n`, [400]],
    ["trailers", () => chunked(`1b\r\n${PET}\r\n0\r\nX: y\r\n\r\n`), [400]],
  ];
  test.each(undone)("a write with %s is not executed, and its connection is closed", (_, bytes, statuses) =>
    expectUndone(bytes(), statuses),
  );

  test("a tunnel is refused with 404, and nothing sent into it is treated as a request", async () => {
    const tunnel = `CONNECT a:1 HTTP/1.1\r\n${known}\r\n`;
    const connection = await openRawConnection(
      server.production,
      tunnel + post("Content-Length: 27\r\n", PET),
    );
    await connection.answered(1);
    expect(statusesOf(connection.received())).toEqual([404]);
    connection.socket.terminate();
  });
});

test("afterwards, the service is ready and has logged no fault", async () => {
  expect((await send("GET", `${server.production.replace("/v1", "")}/readyz`)).status).toBe(200);
  expect((await server.post("/pets", PET)).status).toBe(201);
  expect((await send("GET", server.metrics)).body).not.toContain('status="5');
});
