import type { Event } from "../../../client/src/client.ts";
import type { RowFormat } from "../terminal/records.ts";
import type { Colour } from "../terminal/table.ts";

export const eventFormat: RowFormat<Event> = {
  plural: "events",
  columns: ["ID", "TIME", "TYPE", "WHAT", "CHANGE", "BY"],
  members: ["id", "createdAt", "type", "environment", "actor", "requestId", "data", "previous"],
  row(event) {
    const { id, createdAt, type } = event;
    return [
      String(id),
      createdAt,
      { text: type, colour: colourOf(type) },
      subjectOf(event),
      changeOf(event),
      actorOf(event),
    ];
  },
};

function colourOf(type: Event["type"]): Colour {
  if (/\.(created|placed|completed)$/.test(type)) return "green";
  return /\.(deleted|cancelled)$/.test(type) ? "faint" : "yellow";
}

/** `animal 3 Fluffy` */
function subjectOf({ data, type }: Event): string {
  if ("petId" in data) return `order ${data.id} of animal ${data.petId}`;
  return `${type.startsWith("pet.") ? "animal" : "category"} ${data.id} ${data.name}`;
}

/** `status: available → sold` */
function changeOf({ data, previous = {} }: Event): string {
  return Object.entries(previous)
    .map(([member, old]) => `${member}: ${shown(old)} → ${shown(Reflect.get(data, member))}`)
    .join(", ");
}

function shown(value: unknown): string {
  return String(value ?? "none");
}

function actorOf({ actor: { kind, id, name } }: Event): string {
  return kind === "person" ? `person ${id}` : name;
}
