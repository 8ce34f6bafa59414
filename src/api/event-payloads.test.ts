import { expect, test } from "bun:test";
import { EVENT_TYPES } from "../event-kinds/event-kinds.ts";
import { eventRequests } from "./event-payloads.ts";

test("every type of event has a delivery schema, and its example matches that schema", () => {
  expect(eventRequests.flatMap(({ types }) => types)).toEqual([...EVENT_TYPES]);
  for (const { types, schema, example } of eventRequests) {
    expect(schema.parse(example)).toEqual(example);
    expect(types).toContain(Object(example).type);
  }
});
