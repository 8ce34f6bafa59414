import { describe, expect, test } from "bun:test";
import { signatureHeaders } from "../../src/delivery/webhook.ts";
import { verifyWebhook } from "./verify-webhook.ts";
import { verifySignature, type WebhookHeaders, WebhookVerificationError } from "./webhook-signature.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const NOW = Date.UTC(2026, 0, 1);
const body =
  '{"type":"pet.created","timestamp":"2026-01-01T00:00:00.000Z","id":9007199254740994,"data":{"id":9007199254740993}}';
const signed = signatureHeaders([SECRET], "evt_1", NOW, body);

const verify = (
  headers: WebhookHeaders,
  text: string | Uint8Array = body,
  secret: string | string[] = SECRET,
) => verifyWebhook(headers, text, secret, { now: NOW });

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(String, (reason: unknown) => reason);
  expect(error).toBeInstanceOf(WebhookVerificationError);
  expect(Bun.inspect(error)).not.toContain("MfKQ9r8G");
  return String(error);
}

describe("verifyWebhook", () => {
  test("accepts the example of the Standard Webhooks specification", async () => {
    const example = {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    };
    const bytes = new TextEncoder().encode('{"test": 2432232314}');
    const verification = { secrets: [SECRET], toleranceMs: 0, now: 1614265330_000 };
    await verifySignature(example, bytes, verification);
    const secrets = [SECRET.replace("whsec_", "")];
    await verifySignature(new Headers(example), bytes, { ...verification, secrets });
    await expect(verifySignature(example, bytes, { ...verification, secrets: [OTHER] })).rejects.toThrow(
      WebhookVerificationError,
    );
  });

  test("keeps every digit of what the service delivers", async () => {
    const payload = await verify(signed);
    // This check tells the compiler the type of `data`.
    if (payload.type !== "pet.created") throw new Error(payload.type);
    const [event, pet] = [payload.id, payload.data.id];
    expect([event, pet, payload.timestamp]).toEqual([
      9007199254740994n,
      9007199254740993n,
      "2026-01-01T00:00:00.000Z",
    ]);
  });

  test("accepts headers and bodies in every form in which servers pass them", async () => {
    const upper = Object.fromEntries(
      Object.entries(signed).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    const bytes = new TextEncoder().encode(body);
    // This array is a view of only part of a larger buffer, like the request bodies in Node.
    const view = new Uint8Array([0, ...bytes, 0]).subarray(1, -1);
    for (const payload of [
      await verify(upper),
      await verify(new Headers(signed)),
      await verify(signed, bytes),
      await verify(signed, view),
      await verifyWebhook(signed, bytes.buffer, SECRET, { now: NOW }),
    ])
      expect(payload.type).toBe("pet.created");
  });

  test("accepts any of several signatures, and any of several secrets", async () => {
    const other = signatureHeaders([OTHER], "evt_1", NOW, body)["webhook-signature"];
    const both = { ...signed, "webhook-signature": `v1a,AAAA ${other} ${signed["webhook-signature"]}` };
    expect((await verify(both)).type).toBe("pet.created");
    expect((await verify(both, body, [OTHER])).type).toBe("pet.created");
    expect((await verify(signed, body, [OTHER, SECRET])).type).toBe("pet.created");
  });

  test("refuses a delivery if its body, id, time, secret, version or signature was changed", async () => {
    const signature = signed["webhook-signature"] ?? "";
    for (const [headers, text, secret] of [
      [signed, body.replace("pet", "pit"), SECRET],
      [signed, body, OTHER],
      [{ ...signed, "webhook-id": "evt_2" }, body, SECRET],
      [{ ...signed, "webhook-timestamp": String(NOW / 1000 + 1) }, body, SECRET],
      [{ ...signed, "webhook-signature": signature.slice(0, -1) }, body, SECRET],
      [{ ...signed, "webhook-signature": signature.replace("v1,", "v2,") }, body, SECRET],
      [{ ...signed, "webhook-signature": signature.replace("v1,", "") }, body, SECRET],
    ] as const)
      expect(await refusal(verify(headers, text, [...[secret].flat()]))).toContain("signature is wrong");
  });

  test("refuses a timestamp more than five minutes in the past or future", async () => {
    const at = (now: number, toleranceMs?: number) =>
      verifyWebhook(signed, body, SECRET, { now, toleranceMs });
    expect((await at(NOW + 300_000)).type).toBe("pet.created");
    expect((await at(NOW - 300_000)).type).toBe("pet.created");
    expect(await refusal(at(NOW + 300_001))).toContain("webhook-timestamp is too old");
    expect(await refusal(at(NOW - 300_001))).toContain("webhook-timestamp is in the future");
    expect((await at(NOW + 400_000, 400_000)).type).toBe("pet.created");
    expect(await refusal(verify({ ...signed, "webhook-timestamp": "today" }))).toContain("is not a number");
    await refusal(verifyWebhook(signed, body, SECRET));
  });

  test("names the header that is missing", async () => {
    for (const name of Object.keys(signed)) {
      expect(await refusal(verify({ ...signed, [name]: undefined }))).toContain(
        `The header ${name} is missing`,
      );
      expect(await refusal(verify({ ...signed, [name]: "" }))).toContain(name);
    }
  });

  test("refuses a signed body that is not an event", async () => {
    for (const text of ["{", "[]", "null", '{"type":"a"}', '{"type":1,"timestamp":"","data":{}}']) {
      const headers = signatureHeaders([SECRET], "evt_1", NOW, text);
      expect(await refusal(verify(headers, text))).toContain("not a petstore event");
    }
  });

  test("throws a TypeError if it is called with wrong arguments", async () => {
    for (const secret of ["", "whsec_", "whsec_%%%", []])
      await expect(verify(signed, body, secret)).rejects.toThrow(TypeError);
    const parsed: unknown = JSON.parse(body);
    await expect(verify(signed, parsed as string)).rejects.toThrow(/before|parsed/);
  });
});
