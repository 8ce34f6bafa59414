import { describe, expect, test } from "bun:test";
import { createDestination, settled, submit, webhook } from "./deliveries.ts";
import { makeKey, onBothEngines } from "./server.ts";

onBothEngines(({ freshStore, startProcess }) => {
  describe("delivery to a webhook", () => {
    test("a message queued when the process is killed is delivered by the next process", async () => {
      const store = await freshStore();
      const failing = createDestination(500);
      const first = await startProcess({ store, env: webhook(failing.url) });
      const key = await makeKey(store);
      const id = await submit(first, key, "survives");
      await first.logged("a message was not delivered");
      await first.kill();
      await failing.stop();
      const destination = createDestination(200);
      const second = await startProcess({ store, env: webhook(destination.url) });
      await destination.received(1);
      expect(await settled(second, key, id)).toBe("delivered");
      expect(destination.deliveries[0]?.headers.get("webhook-id")).toBe(id);
      await second.stop();
      await destination.stop();
    });
  });
});
