import { afterEach, expect, test } from "bun:test";
import { onEachEngine } from "../test-app.ts";
import { refuseForAnHour } from "./random-refusals.ts";
import { openStage, type Stage } from "./stage.ts";

const CHANGES = 100;
const SEEDS = Array.from({ length: 10 }, (_, index) => 100 + index);

onEachEngine((store) => {
  let stage: Stage;
  afterEach(() => stage.close());

  test.each(SEEDS)(
    "a webhook that refuses at random for an hour is sent every event in order; seed %p",
    async (seed) => {
      stage = await openStage(await store(), 1 + (seed % 3));
      await refuseForAnHour(stage, seed, CHANGES);
      expect(await stage.statuses()).toEqual({ delivered: CHANGES });
    },
    120_000,
  );
});
