import { afterEach, expect, test } from "bun:test";
import { onEachEngine } from "../test-app.ts";
import { until } from "../until.ts";
import { createReceiver } from "./receiver.ts";
import { openStage, type Stage } from "./stage.ts";

let resources: AsyncDisposableStack;
afterEach(() => resources.disposeAsync());

const EVENTS = 16; // the maximum number of events that can be delivered to one webhook at the same time

onEachEngine((store) => {
  test("attempts that end together are stored, except one that the database refuses, which is logged", async () => {
    resources = new AsyncDisposableStack();
    const settings = await store();
    const stage: Stage = resources.adopt(await openStage(settings), (opened) => opened.close());
    const isAsked = Promise.withResolvers<number>();
    let asked = 0;
    const receiver = createReceiver(() => {
      if (++asked === EVENTS) isAsked.resolve(204);
      return isAsked.promise;
    });
    resources.defer(receiver.stop);
    const table = settings.databaseUrl === undefined ? "delivery_attempt" : "production.delivery_attempt";
    await stage.run(
      "INSERT INTO delivery_attempt (delivery_id, at, duration, status) VALUES ('2', 0, 0, 200)",
    );
    await stage.run(`CREATE UNIQUE INDEX attempt_once ON ${table} (delivery_id)`);
    await stage.addWebhook(receiver.url);
    const add = () => stage.call("POST /pets", { name: "x", categoryId: 1 });
    await Promise.all(Array.from({ length: EVENTS }, add));
    await until(async () => {
      await stage.app.clock.advance(1);
      return (await stage.statuses())["delivered"] === EVENTS - 1;
    });
    expect(await stage.statuses()).toEqual({ delivered: EVENTS - 1, queued: 1 });
    expect(asked).toBe(EVENTS);
    await until(() => stage.app.logged.some((fields) => Object(fields).err instanceof Error));
    await stage.run(`DROP INDEX ${table.replace("delivery_attempt", "attempt_once")}`);
  });
});
