import { afterEach, describe, expect, test } from "bun:test";
import { type ClientOptions, createClient } from "../../client/src/client.ts";

// Settings of a client: options, and environment variables if there are any. A key is sent only to the service that it was
// given for.

const VARIABLES = ["PETSTORE_KEY", "PETSTORE_URL", "PETSTORE_MESSAGES_URL"] as const;
type Variables = Partial<Record<(typeof VARIABLES)[number], string>>;

const before = new Map(VARIABLES.map((name) => [name, process.env[name]]));
afterEach(() => setVariables(Object.fromEntries(before)));

function setVariables(variables: Variables): void {
  for (const name of VARIABLES) {
    if (variables[name] === undefined) delete process.env[name];
    else process.env[name] = variables[name];
  }
}

/** The key that a client with these options and variables sends to each address. */
async function sendWith(options: ClientOptions, variables: Variables = {}): Promise<Record<string, string>> {
  setVariables(variables);
  const sent: Record<string, string> = {};
  const fetch = async (address: string, { headers }: RequestInit) => {
    sent[address.replace(/\/(categories|messages)$/, "")] = new Headers(headers).get("Authorization") ?? "";
    return Response.json(address.endsWith("/categories") ? [] : {});
  };
  const client = createClient({ ...options, fetch });
  await client.categories.list();
  await client.messages.submit({ message: "Hello" }).catch(() => undefined);
  return sent;
}

/** Error message for these options and variables. */
function refusalOf(options: ClientOptions, variables: Variables = {}): string {
  setVariables(variables);
  try {
    createClient(options);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).not.toMatch(/pet_live_[a-z]/);
    return String(error).replace("TypeError: ", "");
  }
  throw new Error("It was accepted.");
}

const PETSTORE_KEY = "pet_live_variable";
const PETSTORE_URL = "https://pets.example.com/v1";
const PETSTORE_MESSAGES_URL = "https://messages.example.com";
const OTHER = "https://other.example.com/v1";
const [AMBIENT, GIVEN] = ["Bearer pet_live_variable", "Bearer pet_live_given"];

describe("PETSTORE_KEY, PETSTORE_URL and PETSTORE_MESSAGES_URL", () => {
  test("are the defaults", async () => {
    expect(await sendWith({}, { PETSTORE_KEY, PETSTORE_URL, PETSTORE_MESSAGES_URL })).toEqual({
      [PETSTORE_URL]: AMBIENT,
      [PETSTORE_MESSAGES_URL]: AMBIENT,
    });
  });

  test("the key alone goes to this machine, to the port of its environment", async () => {
    const messages = "http://localhost:8082";
    expect(await sendWith({}, { PETSTORE_KEY, PETSTORE_URL: "" })).toEqual({
      "http://localhost:8080/v1": AMBIENT,
      [messages]: AMBIENT,
    });
    expect(await sendWith({}, { PETSTORE_KEY: "pet_test_variable" })).toEqual({
      "http://localhost:8081/v1": "Bearer pet_test_variable",
      [messages]: "Bearer pet_test_variable",
    });
  });

  test("the key goes to the same address that an option repeats", async () => {
    const options = { baseUrl: `${PETSTORE_URL}/`, messagesUrl: `${PETSTORE_MESSAGES_URL}/` };
    expect(
      Object.keys(await sendWith(options, { PETSTORE_KEY, PETSTORE_URL, PETSTORE_MESSAGES_URL })),
    ).toEqual([PETSTORE_URL, PETSTORE_MESSAGES_URL]);
  });

  test("the key is sent to no other address of a store, that of this machine included", () => {
    for (const [baseUrl, variables] of [
      [OTHER, { PETSTORE_KEY, PETSTORE_URL }],
      [OTHER, { PETSTORE_KEY }],
      ["http://localhost:8080/v1", { PETSTORE_KEY, PETSTORE_URL }],
    ] as const)
      expect(refusalOf({ baseUrl }, variables)).toBe(
        `PETSTORE_KEY is not sent to ${baseUrl}: it is for the addresses of its environment. Set PETSTORE_URL, or give key together with baseUrl.`,
      );
  });

  test("the key is sent to no other message service, and to none where the environment names none", async () => {
    for (const variables of [
      { PETSTORE_KEY, PETSTORE_URL, PETSTORE_MESSAGES_URL },
      { PETSTORE_KEY, PETSTORE_URL },
      { PETSTORE_KEY },
    ])
      expect(refusalOf({ messagesUrl: "https://m.example.com" }, variables)).toBe(
        "PETSTORE_KEY is not sent to https://m.example.com: it is for the addresses of its environment. Set PETSTORE_MESSAGES_URL, or give key together with messagesUrl.",
      );
    expect(await sendWith({}, { PETSTORE_KEY, PETSTORE_URL })).toEqual({ [PETSTORE_URL]: AMBIENT });
  });

  test("the key is not sent to the other environment's address", () => {
    expect(refusalOf({ environment: "staging" }, { PETSTORE_KEY })).toBe(
      "PETSTORE_KEY is a key for production, not for staging.",
    );
  });

  test("a key and an address that are given have nothing to do with them", async () => {
    const variables = { PETSTORE_KEY, PETSTORE_URL: "not an address", PETSTORE_MESSAGES_URL };
    const given = { key: "pet_live_given", baseUrl: OTHER };
    expect(await sendWith(given, variables)).toEqual({ [OTHER]: GIVEN });
    expect(await sendWith({ ...given, messagesUrl: "https://m.example.com" }, variables)).toEqual({
      [OTHER]: GIVEN,
      "https://m.example.com": GIVEN,
    });
  });

  test("a key that is given without an address is for the addresses of the environment", async () => {
    expect(await sendWith({ key: "pet_live_given" }, { PETSTORE_KEY, PETSTORE_URL })).toEqual({
      [PETSTORE_URL]: GIVEN,
    });
  });

  test("a given key goes to this machine, to the port of its environment or of the one that is named", async () => {
    for (const [options, port] of [
      [{}, 8080],
      [{ environment: "staging" }, 8081],
      [{ baseUrl: "http://localhost:8080/v1/" }, 8080],
    ] as const)
      expect(await sendWith({ key: "pet_live_given", ...options })).toEqual({
        [`http://localhost:${port}/v1`]: GIVEN,
        "http://localhost:8082": GIVEN,
      });
  });

  test("no message is sent with the key of another store until it has the message service's address", async () => {
    const { messages } = createClient({ key: "pet_live_given", baseUrl: OTHER });
    for (const call of [messages.submit({ message: "a" }), messages.get("msg_7")])
      await expect(call).rejects.toThrow(
        "messagesUrl is missing: with a baseUrl of your own, createClient() needs it, too.",
      );
  });

  test("are refused by their names when they are malformed, and a missing key says what to do", () => {
    expect(refusalOf({}, {})).toBe(
      "There is no key. Give createClient({ key }), or set PETSTORE_KEY on a server.",
    );
    expect(refusalOf({}, { PETSTORE_KEY: "pet_live_a\n" })).toStartWith("PETSTORE_KEY must be an API key");
    expect(refusalOf({}, { PETSTORE_KEY, PETSTORE_URL: "pets.example.com" })).toStartWith(
      "PETSTORE_URL must be an http or https address",
    );
    expect(refusalOf({}, { PETSTORE_KEY, PETSTORE_MESSAGES_URL: "ftp://a" })).toStartWith(
      "PETSTORE_MESSAGES_URL must be an http or https address",
    );
  });
});

test("a base address without /v1 is refused with the one that is meant", () => {
  expect(refusalOf({ key: PETSTORE_KEY, baseUrl: "https://pets.example.com/" })).toBe(
    "baseUrl must end in /v1, the version of the interface: https://pets.example.com/v1, not https://pets.example.com.",
  );
  expect(refusalOf({}, { PETSTORE_KEY, PETSTORE_URL: "http://localhost:8080" })).toStartWith(
    "PETSTORE_URL must end in /v1, the version of the interface: http://localhost:8080/v1, ",
  );
});

describe("an unknown option is refused, with the nearest", () => {
  test.each([
    ["baseURL", "baseUrl"],
    ["apiKey", "key"],
    ["timeout", "timeoutMs"],
    ["maxRetries", "retries"],
    ["env", "environment"],
  ])("createClient: %s is %s", (wrong, right) => {
    expect(refusalOf({ key: PETSTORE_KEY, [wrong]: "1" })).toBe(
      `createClient has no option ${wrong}. The nearest is ${right}.`,
    );
  });

  test("in a call, a list and a stream, before anything is sent", async () => {
    let requests = 0;
    const fetch = async () => {
      requests++;
      return Response.json([]);
    };
    const { pets, events } = createClient({ key: "pet_live_given", fetch });
    const call = { retries: 0, timeout: 1 };
    const wrong = { after: 0, afterId: 1 };
    const messages = await Promise.all(
      [
        pets.delete(1, call),
        pets.list({}, call).toArray({ limit: 1 }),
        events.follow(wrong)[Symbol.asyncIterator]().next(),
      ].map((refused) => refused.catch((error: unknown) => String(error))),
    );
    expect(messages).toEqual([
      "TypeError: A call has no option timeout. The nearest is timeoutMs.",
      "TypeError: A call has no option timeout. The nearest is timeoutMs.",
      "TypeError: events.follow has no option afterId. The nearest is after.",
    ]);
    expect(requests).toBe(0);
  });
});
