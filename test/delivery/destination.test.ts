import { afterAll, describe, expect, test } from "bun:test";
import { ConfigError } from "../../src/config/settings.ts";
import type { PrivateDestinations } from "../../src/config/values.ts";
import { loadConfig } from "../../src/config.ts";
import type { Resolve } from "../../src/delivery/destination.ts";
import { deliverToWebhook, postSigned } from "../../src/delivery/webhook.ts";
import { isPublicAddress } from "../../src/platform/ip-address.ts";
import { createTestApp } from "../test-app.ts";
import { until } from "../until.ts";

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
const SECRET = `whsec_${Buffer.from("petstore-example-secret-32bytes!").toString("base64")}`;
const MESSAGE = {
  id: "msg_1",
  message: "x",
  status: "queued",
  createdAt: "2026-01-01T00:00:00.000Z",
  environment: "production",
  attempts: 1,
  dueAt: 0,
} as const;
const DELIVERED = { outcome: "delivered", status: 204 } as const;

describe("which addresses are private", () => {
  const PRIVATE = [
    ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254"],
    ...["169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.0.1"],
    ...["198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1"],
    ...[
      "255.255.255.255",
      "::",
      "::1",
      "::7f00:1",
      "fe80::1",
      "fe80::1%eth0",
      "fec0::1",
      "fc00::1",
      "fd12::1",
    ],
    ...[
      "ff02::1",
      "100::1",
      "2001:db8::1",
      "2001::1",
      "3fff::1",
      "5f00::1",
      "64:ff9b:1::a00:1",
      "nonsense",
      "",
    ],
    // IPv6 addresses that contain an IPv4 address: mapped in both spellings, NAT64, 6to4.
    ...[
      "::ffff:127.0.0.1",
      "::ffff:7f00:1",
      "0:0:0:0:0:FFFF:10.0.0.1",
      "64:ff9b::10.0.0.1",
      "64:ff9b::a9fe:a9fe",
    ],
    ...["2002:7f00:1::", "2002:c0a8:1::1", "2002:a00:1:ffff::1"],
  ];
  const PUBLIC = [
    ...["1.1.1.1", "9.255.255.255", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1"],
    ...["169.253.0.1", "172.15.255.255", "172.32.0.0", "192.169.0.0", "198.17.255.255", "223.255.255.255"],
    ...["2606:4700:4700::1111", "2001:200::1", "2a00:1450::1", "::ffff:1.1.1.1", "64:ff9b::101:101"],
    ...["2002:101:101::1"],
  ];

  test.each(PRIVATE)("%p is", (address) => expect(isPublicAddress(address)).toBe(false));
  test.each(PUBLIC)("%p is not", (address) => expect(isPublicAddress(address)).toBe(true));
});

describe("the setting PETSTORE_MESSAGES_WEBHOOK", () => {
  const load = (host: string, allowed: Record<string, string> = {}) =>
    loadConfig({}, { PETSTORE_MESSAGES_WEBHOOK: `http://ada:secret@${host}/hook`, ...allowed })
      .messagesWebhookUrl;
  const SPELLINGS = [
    ...["localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.0.0.1.", "127.1", "2130706433", "0x7f.1"],
    ...["0177.0.0.1", "0", "10.1.2.3", "[::1]", "[::ffff:10.0.0.1]", "[fe80::1]", "１２７.0.0.1"],
  ];

  test.each(SPELLINGS)(
    "refuses %p at the start, however it is written, unless private ones are allowed",
    (host) => {
      expect(() => load(host)).toThrow(ConfigError);
      expect(() => load(host)).toThrow(
        /^PETSTORE_MESSAGES_WEBHOOK has the private address [^@]+\. To deliver there, set \S+=allow/,
      );
      expect(load(host, { PETSTORE_MESSAGES_WEBHOOK_PRIVATE: "allow" })).toBeDefined();
    },
  );

  test.each(["hooks.example.com", "localhost.example.com", "1.1.1.1", "[2606:4700:4700::1111]"])(
    "accepts %p",
    (host) => expect(load(host)).toBeDefined(),
  );
});

describe("delivering to a name", () => {
  const asked: { host: string | null; authorization: string | null }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.2",
    port: 0,
    fetch({ headers }) {
      asked.push({ host: headers.get("host"), authorization: headers.get("authorization") });
      return new Response(null, { status: 204 });
    },
  });
  afterAll(() => server.stop(true));

  const deliver = (resolve: Resolve, privateDestinations: PrivateDestinations, user = "") => {
    const url = `http://${user}hook.example.test:${server.port}/hook`;
    const send = deliverToWebhook({ url, secret: SECRET, privateDestinations, resolve });
    return send(MESSAGE, Date.UTC(2026, 0), new AbortController().signal);
  };

  test("resolves the name once, and connects to that address under the name", async () => {
    asked.length = 0;
    const answers = [["127.0.0.2"], ["192.0.2.1"]];
    const questions: string[] = [];
    const resolve = async (name: string) => {
      questions.push(name);
      return answers.shift() ?? [];
    };
    expect(await deliver(resolve, "allow")).toEqual(DELIVERED);
    expect(questions).toEqual(["hook.example.test"]);
    expect(asked).toEqual([{ host: `hook.example.test:${server.port}`, authorization: null }]);
  });

  test.each([
    [["127.0.0.2"]],
    [["1.1.1.1", "127.0.0.2"]],
    [["127.0.0.2", "1.1.1.1"]],
    [["::ffff:127.0.0.2"]],
  ])("to %p sends no request, because one address among them is private", async (addresses) => {
    asked.length = 0;
    await expect(deliver(async () => addresses, "refuse")).rejects.toThrow(
      /the private address \S*127\.0\.0\.2\./,
    );
    expect(asked).toEqual([]);
  });

  test("of a webhook for events is refused with the setting for events", async () => {
    const message = { url: "http://hook.example.test/", secrets: [SECRET], id: "evt_1", body: "{}" };
    const resolve = async () => ["1.1.1.1", "127.0.0.2"];
    const rule = { privateDestinations: "refuse", setting: "PETSTORE_WEBHOOKS_PRIVATE", resolve } as const;
    await expect(postSigned(message, rule, 0, new AbortController().signal)).rejects.toThrow(
      "127.0.0.2. To allow deliveries to private addresses, set PETSTORE_WEBHOOKS_PRIVATE=allow.",
    );
  });

  test("tries the next address when one refuses the connection", async () => {
    asked.length = 0;
    expect(await deliver(async () => ["127.0.0.3", "127.0.0.2"], "allow")).toEqual(DELIVERED);
    expect(asked).toHaveLength(1);
  });

  test("sends the address's user and password to the destination, but shows them in no error", async () => {
    asked.length = 0;
    expect(await deliver(async () => ["127.0.0.2"], "allow", "ada:p%40ss@")).toEqual(DELIVERED);
    expect(asked[0]?.authorization).toBe(`Basic ${Buffer.from("ada:p@ss").toString("base64")}`);
    for (const addresses of [["127.0.0.3"], []]) {
      const failure = await deliver(async () => addresses, "allow", "ada:p%40ss@").catch((error) => error);
      expect(failure.message).toStartWith("The webhook could not be reached (");
      expect(Bun.inspect(failure)).not.toMatch(/ada|p@ss|p%40ss|hook\.example/);
    }
  });

  test("an attempt reports that a name cannot be resolved", async () => {
    const nowhere = async () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" }));
    await expect(deliver(nowhere, "allow")).rejects.toThrow("could not be looked up (ENOTFOUND)");
  });

  test("that turns out to be private leaves the message queued, and the log says why", async () => {
    asked.length = 0;
    const url = `http://hook.example.test:${server.port}/hook`;
    const resolve = async () => ["127.0.0.2"];
    const app = await createTestApp({
      deliver: deliverToWebhook({ url, secret: SECRET, privateDestinations: "refuse", resolve }),
    });
    const { token: key } = await app.makeKey();
    const { id } = (await app.ask("messages", "POST /messages", { key, body: '{"message":"x"}' })).json;
    const lines = () =>
      JSON.stringify(app.logged.map((line) => ({ ...Object(line), err: String(Object(line).err) })));
    await until(() => lines().includes("the private address 127.0.0.2"));
    const { status } = (await app.ask("messages", `GET /messages/${id}`, { key })).json;
    expect([status, asked]).toEqual(["queued", []]);
    await app.close();
  });
});

describe("delivering by HTTPS", () => {
  test("requires a certificate for the name, although the connection is to an address", async () => {
    const file = (name: string) => `${PROJECT}test/tls/${name}`;
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: {
        cert: Bun.file(file("hook.example.test.pem")),
        key: Bun.file(file("hook.example.test.key.pem")),
      },
      fetch: () => new Response(null, { status: 204 }),
    });
    // Runs the script in a new process, because a process reads the trusted certificates only when it starts.
    const script = `
      import { deliverToWebhook } from ${JSON.stringify(`${PROJECT}src/delivery/webhook.ts`)};
      const [secret, message] = ${JSON.stringify([SECRET, MESSAGE])};
      for (const name of ["hook.example.test", "other.example.test"]) {
        const url = "https://" + name + ":${server.port}/";
        const deliver = deliverToWebhook({ url, secret, privateDestinations: "allow", resolve: async () => ["127.0.0.1"] });
        console.log(name, await deliver(message, 0, new AbortController().signal).then(({ outcome }) => outcome, (error) => error.message));
      }`;
    const child = Bun.spawn([process.execPath, "--eval", script], {
      env: { NODE_EXTRA_CA_CERTS: file("hook.example.test.pem") },
      stdout: "pipe",
    });
    expect((await new Response(child.stdout).text()).trim().split("\n")).toEqual([
      "hook.example.test delivered",
      "other.example.test The webhook could not be reached (ERR_TLS_CERT_ALTNAME_INVALID).",
    ]);
    await server.stop(true);
  });
});
