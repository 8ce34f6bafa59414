import { expect, test } from "bun:test";
import { createRecentEvents, encodeEvent } from "./recent-events.ts";
import type { EventFilter } from "./store.ts";

const ACTOR = { kind: "key", id: "1", name: "till" } as const;
const COMMON = { createdAt: "", environment: "production", actor: ACTOR, requestId: "" } as const;
const encoded = (id: number, type: string) => encodeEvent({ ...COMMON, id, type, data: { id, petId: 7 } }, 7);

test("followers at one position share a chunk only if their filters are equal, and only until the next event", () => {
  const recent = createRecentEvents();
  const taken = (filter: EventFilter) => String(recent.take(filter, 0n).chunk.bytes).match(/(?<=^id: )\d+/gm);
  recent.add([encoded(1, "pet.created"), encoded(2, "order.placed")]);
  expect(taken({})).toEqual(["1", "2"]);
  expect(taken({ petId: 8 })).toBeNull();
  expect(taken({})).toHaveLength(2);
  expect(taken({ types: ["pet.created"] })).toEqual(["1"]);
  expect(recent.take({}, 0n)).toBe(recent.take({}, 0n));
  recent.add([encoded(3, "order.placed")]);
  expect(taken({})).toEqual(["1", "2", "3"]);
});
