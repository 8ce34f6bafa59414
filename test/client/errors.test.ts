import { beforeAll, describe, expect, test } from "bun:test";
import {
  type Client,
  createClient,
  type NewMessage,
  type NewPet,
  PetstoreConflictError,
  PetstoreError,
  PetstoreForbiddenError,
  PetstoreInvalidError,
  PetstoreNotFoundError,
  PetstoreRateLimitError,
  PetstoreServerError,
  PetstoreUnauthorizedError,
} from "../../client/src/client.ts";
import { ERROR_STATUS } from "../../src/errors.ts";
import { useStore } from "../wire/server.ts";
import { clientOf, failureOf, refusal, stopAfterEach } from "./flawed-server.ts";

/** The client's error class for each status that the service can return. */
const CLASSES: Readonly<Record<number, typeof PetstoreError>> = {
  400: PetstoreInvalidError,
  401: PetstoreUnauthorizedError,
  403: PetstoreForbiddenError,
  404: PetstoreNotFoundError,
  405: PetstoreError,
  408: PetstoreError,
  409: PetstoreConflictError,
  410: PetstoreNotFoundError,
  412: PetstoreConflictError,
  413: PetstoreInvalidError,
  415: PetstoreInvalidError,
  422: PetstoreInvalidError,
  429: PetstoreRateLimitError,
  500: PetstoreServerError,
  503: PetstoreServerError,
};

stopAfterEach();

describe("an error response", () => {
  test("has the class of its status, even with a code from a later version", async () => {
    const cases = [...Object.entries(ERROR_STATUS), ["a_later_code", 409], ["another", 418]] as const;
    for (const [code, status] of cases) {
      const { client } = await clientOf([refusal(status, code)], { retries: 0 });
      const error = await failureOf(client.orders.complete(7));
      const Expected = CLASSES[status] ?? PetstoreError;
      expect(error).toMatchObject({ code, name: Expected.name, members: [] });
      expect(error).toBeInstanceOf(Expected);
    }
  });
});

describe("an error response of the service", () => {
  const server = useStore();
  let client: Client;
  beforeAll(async () => {
    client = createClient({ key: server.key, baseUrl: server.production, messagesUrl: server.messages });
  });

  test("names every wrong member of the body", async () => {
    const wrong = { name: "Fluffy", status: "sleeping" };
    const error = await failureOf(client.pets.create(wrong as unknown as NewPet));
    expect(error).toBeInstanceOf(PetstoreInvalidError);
    expect(error).toMatchObject({
      code: "invalid_body",
      status: 400,
      message: "categoryId is required; status must be one of available, pending, sold.",
      members: [
        { pointer: "#/categoryId", detail: "is required" },
        { pointer: "#/status", detail: "must be one of available, pending, sold" },
      ],
    });
    expect(await failureOf(client.messages.submit({} as NewMessage))).toMatchObject({
      members: [{ pointer: "#/message", detail: "is required" }],
    });
  });

  test("has the service's sentence and its request id", async () => {
    const headers = { "X-Request-Id": "shop-1" };
    const error = await failureOf(client.orders.place({ petId: 2n ** 62n }, { headers }));
    expect(error).toBeInstanceOf(PetstoreNotFoundError);
    expect(error).toMatchObject({
      message: "There is no animal 4611686018427387904.",
      requestId: "shop-1",
      members: [],
    });
  });
});
