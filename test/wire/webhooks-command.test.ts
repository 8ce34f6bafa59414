import { describe, expect, test } from "bun:test";
import type { Delivery, Webhook } from "../../client/src/client.ts";
import { useUser } from "./remote.ts";
import { useStore } from "./server.ts";

const server = useStore();
const user = useUser(server);

const HOOK = "https://hooks.invalid/petstore";
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=\n$/;

describe("petstore webhooks", () => {
  test("adds one and prints only its secret, and lists, shows, changes and removes it", async () => {
    const added = await user.run(["webhooks", "add", HOOK, "--type", "pet.created,pet.deleted"]);
    expect(added).toEqual({
      code: 0,
      out: expect.stringMatching(SECRET),
      err: "Webhook 1 is added. Its secret is not shown again.\n",
    });
    expect((await user.run(["webhooks", "list"])).out).toMatch(
      /^ID {2}STATUS +ADDED +TYPES +URL\n1 {3}enabled {2}[\dT:.Z-]{24} {2}pet\.created,pet\.deleted {2}https:\/\/hooks\.invalid\/petstore\n$/,
    );
    const { etag, ...shown } = await user.json<Webhook & { etag: string }>("webhooks", "show", "1");
    expect(shown).toMatchObject({ id: 1, url: HOOK, types: ["pet.created", "pet.deleted"] });
    expect(shown).not.toHaveProperty("secret");
    const change = [
      "webhooks",
      "update",
      "1",
      "--status",
      "disabled",
      "--to",
      `${HOOK}/2`,
      "--if-match",
      etag,
    ];
    expect(await user.json<Webhook>(...change)).toMatchObject({ status: "disabled", url: `${HOOK}/2` });
    expect((await user.run(change)).err).toContain("has changed since the version in If-Match");
    expect(await user.run(["webhooks", "remove", "1"])).toEqual({
      code: 0,
      out: "",
      err: "Webhook 1 is removed.\n",
    });
    expect((await user.run(["webhooks", "list"])).err).toBe("There are no webhooks to show.\n");
  });

  test("rotates the secret, sends a test, shows its delivery and sends it again", async () => {
    const { id, secret } = await user.json<Webhook & { secret: string }>("webhooks", "add", HOOK);
    expect((await user.run(["webhooks", "list"])).out).toContain("  all  ");
    const rotate = ["webhooks", "rotate-secret", String(id), "--overlap", "0"];
    expect((await user.run([...rotate, "--if-match", "other"])).err).toContain("has changed since");
    const rotated = await user.run(rotate);
    expect(rotated).toEqual({
      code: 0,
      out: expect.stringMatching(SECRET),
      err: `Webhook ${id} has a new secret, which is not shown again.\n`,
    });
    expect(rotated.out).not.toContain(secret);
    const sent = await user.json<Delivery>("webhooks", "test", String(id));
    expect(sent).toMatchObject({ type: "webhook.test", eventId: null, status: "queued" });
    const list = ["webhooks", "deliveries", String(id)];
    expect((await user.json<Delivery[]>(...list)).map((one) => one.id)).toEqual([sent.id]);
    expect((await user.run([...list, "--status", "dropped"])).err).toBe("There are no deliveries to show.\n");
    expect((await user.run(list)).out).toMatch(
      /^ID {2}EVENT +TYPE +STATUS +QUEUED +NEXT ATTEMPT +ATTEMPTS\n\d+ +webhook\.test +/,
    );
    expect((await user.json<Delivery>("webhooks", "delivery", String(id), String(sent.id))).id).toBe(sent.id);
    const again = await user.json<Delivery>("webhooks", "redeliver", String(id), String(sent.id));
    expect(again).toMatchObject({ id: sent.id, status: "queued" });
    expect((await user.run(["webhooks", "redeliver", String(id), "999"])).code).toBe(1);
  });

  test("refuses an empty change, and an overlap that is not a number", async () => {
    expect(await user.run(["webhooks", "update", "1"])).toEqual({
      code: 2,
      out: "",
      err: "petstore: There is nothing to change. Set --to, --type or --status.\n",
    });
    expect((await user.run(["webhooks", "rotate-secret", "1", "--overlap", "soon"])).code).toBe(2);
  });
});
