import { afterEach, describe, expect, test } from "bun:test";
import { type ClientOptions, createClient } from "../../client/src/client.ts";

// The client gets its settings from its options or from environment variables. It must send an API key only to the service that the
// key was given for.

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

/** Returns the API keys that a client with these options and variables sends, keyed by the address that it sends them to. */
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

  test("send the key to this machine, at the port of its environment, if no address is given", async () => {
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

  test("the key is sent to no other store's address, not even on this machine", () => {
    for (const [baseUrl, variables] of [
      [OTHER, { PETSTORE_KEY, PETSTORE_URL }],
      [OTHER, { PETSTORE_KEY }],
      ["http://localhost:8080/v1", { PETSTORE_KEY, PETSTORE_URL }],
    ] as const)
      expect(refusalOf({ baseUrl }, variables)).toBe(
        `PETSTORE_KEY is not sent to ${baseUrl}, because this key belongs to another address. Set PETSTORE_URL to the address that the key belongs to, or pass both key and baseUrl to createClient().`,
      );
  });

  test("the key is sent to no other message service, and to none where the environment names none", async () => {
    for (const variables of [
      { PETSTORE_KEY, PETSTORE_URL, PETSTORE_MESSAGES_URL },
      { PETSTORE_KEY, PETSTORE_URL },
      { PETSTORE_KEY },
    ])
      expect(refusalOf({ messagesUrl: "https://m.example.com" }, variables)).toBe(
        "PETSTORE_KEY is not sent to https://m.example.com, because this key belongs to another address. Set PETSTORE_MESSAGES_URL to the address that the key belongs to, or pass both key and messagesUrl to createClient().",
      );
    expect(await sendWith({}, { PETSTORE_KEY, PETSTORE_URL })).toEqual({ [PETSTORE_URL]: AMBIENT });
  });

  test("the key is not sent to the other environment's address", () => {
    expect(refusalOf({ environment: "staging" }, { PETSTORE_KEY })).toBe(
      "PETSTORE_KEY is a key for production, not for staging.",
    );
  });

  test("are ignored if a key and an address are given as options", async () => {
    const variables = { PETSTORE_KEY, PETSTORE_URL: "not an address", PETSTORE_MESSAGES_URL };
    const given = { key: "pet_live_given", baseUrl: OTHER };
    expect(await sendWith(given, variables)).toEqual({ [OTHER]: GIVEN });
    expect(await sendWith({ ...given, messagesUrl: "https://m.example.com" }, variables)).toEqual({
      [OTHER]: GIVEN,
      "https://m.example.com": GIVEN,
    });
  });

  test("a key that is given without an address is sent to the addresses in the environment", async () => {
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
        "messagesUrl is missing: createClient() with a baseUrl also needs a messagesUrl.",
      );
  });

  test("are refused by their names when they are malformed, and a missing key says what to do", () => {
    expect(refusalOf({}, {})).toBe(
      "The API key is missing. Pass createClient({ key }), or, on a server, set PETSTORE_KEY.",
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

test("a base address without /v1 is refused, and the error suggests the right one", () => {
  expect(refusalOf({ key: PETSTORE_KEY, baseUrl: "https://pets.example.com/" })).toBe(
    "baseUrl must end with /v1, the version of the API: https://pets.example.com/v1, not https://pets.example.com.",
  );
  expect(refusalOf({}, { PETSTORE_KEY, PETSTORE_URL: "http://localhost:8080" })).toStartWith(
    "PETSTORE_URL must end with /v1, the version of the API: http://localhost:8080/v1, ",
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

  test("unless it may be a key, which is not shown", () => {
    expect(refusalOf({ [`pet_live_${"k".repeat(43)}_abcdef`]: 1 })).toBe(
      "The options of createClient contain an unknown name. The name is too long to repeat here, and may be an API key.",
    );
  });

  test("unless none is similar", () => {
    expect(refusalOf({ key: PETSTORE_KEY, ...{ xyz: 1 } })).toBe("createClient has no option xyz.");
  });
});

test("createClient requires an object, and refuses a bare key without showing it", () => {
  for (const wrong of ["pet_live_given", null] as readonly unknown[])
    expect(refusalOf(wrong as ClientOptions)).toBe("The options of createClient must be an object.");
});

test.each<[string, string, readonly unknown[]]>([
  ["key", "an API key", [null, 5, "", "pet_live_a b"]],
  ["environment", '"production" or "staging"', [null, "test"]],
  ["baseUrl", "an http or https address", [null, 5, "pets.example.com", "ftp://a/v1", "https://a:b@c/v1"]],
  ["messagesUrl", "an http or https address", [null, "", "https://a?key=1", "https://a#b"]],
  ["timeoutMs", "a number of milliseconds above 0", [null, "5", 0, -1, Number.NaN]],
  ["retries", "an integer of at least 0", [null, "5", -1, 1.5, Number.POSITIVE_INFINITY]],
  ["headers", 'an object such as { "X-Shop"', [null, "X-Shop: a", [["X-Shop", "a"]], new Headers()]],
  ["fetch", "a function", [null, "fetch", {}]],
  ["onAnswer", "a function", [null, true]],
])("createClient refuses a wrong %s, and says that it must be %s", (name, expected, values) => {
  for (const value of values)
    expect(refusalOf({ key: "pet_live_given", [name]: value }, { PETSTORE_KEY })).toStartWith(
      `${name} must be ${expected}`,
    );
  const options = { key: undefined, baseUrl: undefined, [name]: undefined };
  expect(() => createClient(options)).not.toThrow();
});

describe("a wrong option of a call, a list or a stream is refused before anything is sent", () => {
  let requests = 0;
  const fetch = async () => {
    requests++;
    return Response.json([]);
  };
  const { pets, events } = createClient({ key: "pet_live_given", fetch });
  const refusal = (call: PromiseLike<unknown>) =>
    call.then(
      () => "It was accepted.",
      (error: unknown) => String(error),
    );

  test("by its name, with the nearest", async () => {
    const call = { retries: 0, timeout: 1 };
    const wrong = { after: 0, afterId: 1 };
    const unknown = "TypeError: A call has no option timeout. The nearest is timeoutMs.";
    expect(await refusal(pets.delete(1, call))).toBe(unknown);
    expect(await refusal(pets.list({}, call))).toBe(unknown);
    expect(await refusal(events.follow(wrong)[Symbol.asyncIterator]().next())).toBe(
      "TypeError: events.follow has no option afterId. The nearest is after.",
    );
    expect(requests).toBe(0);
  });

  test.each([
    ["timeoutMs", ["5", null, 0], "a number of milliseconds above 0."],
    ["retries", ["5", null, -1], "an integer of at least 0."],
    ["signal", [null, new AbortController()], "an AbortSignal, such as controller.signal."],
    ["headers", [null, new Map()], 'an object such as { "X-Shop": "Main Street" }.'],
    ["idempotencyKey", [5, null, "", "a b"], "1 to 255 visible ASCII characters, without spaces."],
    ["ifMatch", [5, null, "abc"], 'an ETag with quotes, as etagOf returns it, or "*".'],
    ["onRetry", [null, {}], "a function."],
  ])("by the value of %s", async (name, values, expected) => {
    for (const value of values) {
      const call = { [name]: value };
      const message = `TypeError: ${name} must be ${expected}`;
      expect(await refusal(pets.update(1, { name: "Rex" }, call))).toBe(message);
      expect(await refusal(pets.list({}, call))).toBe(message);
    }
    expect(requests).toBe(0);
  });

  test.each([
    ["after", [null, "5", 2 ** 53], "an integer: a bigint, or a number below 2^53."],
    ["types", ["pet.created"], "a list of types."],
    ["onAnswer", [null], "a function."],
  ])("by the value of %s in events.follow", async (name, values, expected) => {
    for (const value of values)
      expect(
        await refusal(
          events
            .follow({ [name]: value })
            [Symbol.asyncIterator]()
            .next(),
        ),
      ).toBe(`TypeError: ${name} must be ${expected}`);
    expect(requests).toBe(0);
  });
});
