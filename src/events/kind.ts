import { z } from "zod";
import { ENVIRONMENTS } from "../context.ts";
import { int64Schema, textSchema, timeSchema } from "../contract/schema.ts";
import { EVENT_ACTOR_KINDS } from "./event.ts";

/** The member of an event's data that contains the identifier of an animal. It is `id` if the event is about the animal itself. */
export type AnimalMember = "id" | "petId" | undefined;

/** The events of a feature: their types, and the member of their data that contains the identifier of an animal. */
export interface EventKind<Types extends readonly string[] = readonly string[]> {
  readonly types: Types;
  readonly animal: AnimalMember;
}

interface KindOptions<Types, Data, Previous> {
  /** The name of the events' schema in the OpenAPI document. */
  readonly id: string;
  readonly types: Types;
  readonly animal?: AnimalMember;
  readonly data: Data;
  /** The schema for old values. It has only those members of `data` that an update can change. */
  readonly previous: Previous;
}

export function eventKind<
  const Types extends readonly [string, ...string[]],
  Data extends z.ZodObject,
  Previous extends z.ZodObject,
>({ id, types, animal, data, previous }: KindOptions<Types, Data, Previous>) {
  return { types, animal, schema: eventSchema(id, types, data, previous) };
}

const actor = z
  .object({
    kind: z
      .enum(EVENT_ACTOR_KINDS)
      .meta({ description: "The kind of actor: an API key, a person in the console, or the operator." }),
    id: textSchema({
      description: "Identifier of the API key or of the person's account; empty for the operator.",
      example: "key_4aYQwJdbBo8sV0rzP2fLxM",
    }),
    name: textSchema({
      description: "Name of the API key, or `operator`; empty for a person.",
      example: "till",
    }),
  })
  .meta({ id: "EventActor", description: "The person or program that made a change." });

function eventSchema<
  const Types extends readonly [string, ...string[]],
  Data extends z.ZodObject,
  Previous extends z.ZodObject,
>(id: string, types: Types, data: Data, previous: Previous) {
  return z
    .object({
      id: int64Schema({
        minimum: 1,
        description:
          "Identifier of the event. Identifiers increase: if a change begins after another change was confirmed, its event has the higher identifier. Some numbers may be missing.",
        example: 1,
      }),
      type: z.enum(types).meta({ description: "The kind of change." }),
      createdAt: timeSchema("Time of the change, in UTC."),
      environment: z.enum(ENVIRONMENTS).meta({ description: "Environment in which the change was made." }),
      actor,
      requestId: textSchema({
        description: "The `X-Request-Id` of the request that made the change.",
        example: "req-1",
      }),
      data,
      previous: previous.optional().meta({
        description:
          "The members of `data` that an update changed, with their old values. Absent if the event is not an update.",
      }),
    })
    .meta({
      id,
      description:
        "A change. `data` is the resource after the change; if the resource was deleted, `data` is the resource before the deletion.",
    });
}
