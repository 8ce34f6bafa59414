import { expect, test } from "bun:test";
import { deliveryErrorText } from "../../src/delivery/destination.ts";
import { postSigned } from "../../src/delivery/webhook.ts";

const SECRET = `whsec_${Buffer.from("petstore-example-secret-32bytes!").toString("base64")}`;

/**
 * Attempts a delivery to a destination that answers with the given bytes or, if they are undefined, never answers. Returns the
 * outcome.
 */
async function attemptAnsweredWith(bytes: string | undefined, signal = new AbortController().signal) {
  const data = (socket: Bun.Socket) => void (bytes !== undefined && socket.end(bytes));
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data } });
  const message = { url: `http://127.0.0.1:${server.port}/Zq91`, secrets: [SECRET], id: "evt_1", body: "{}" };
  const rule = { privateDestinations: "allow", setting: "" } as const;
  const attempt = await postSigned(message, rule, 0, signal).catch(deliveryErrorText);
  server.stop(true);
  return attempt;
}

test("only the status of a response matters: its body may be anything", async () => {
  const answer = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello";
  expect(await attemptAnsweredWith(answer)).toEqual({ outcome: "delivered", status: 200 });
});

test.each([
  ["delivered", [200, 204, 299]],
  ["refused", [302, 307, 400, 429, 500]],
  ["gone", [410]],
] as const)("%s: %p; a redirect is not followed", async (outcome, statuses) => {
  for (const status of statuses) {
    const answer = `HTTP/1.1 ${status} Any\r\nLocation: /200\r\nContent-Length: 0\r\n\r\n`;
    expect(await attemptAnsweredWith(answer)).toEqual({ outcome, status });
  }
});

test.each(["000", "600", "999"])(
  "%s is not an HTTP status: the attempt has an error instead",
  async (status) => {
    const error = `The webhook answered ${Number(status)}, which is not an HTTP status.`;
    expect(await attemptAnsweredWith(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`)).toBe(error);
  },
);

test("a late response is not reported as an address that cannot be reached", async () => {
  const error = "The webhook did not answer within 15 s.";
  expect(await attemptAnsweredWith(undefined, AbortSignal.timeout(1))).toBe(error);
});
