import { Option } from "commander";
import type { Event, Int64 } from "../../../client/src/client.ts";
import { ConfigError } from "../../config/settings.ts";
import { writeJson } from "../../contract/json/json.ts";
import { EVENT_TYPES, type EventType } from "../../event-kinds/event-kinds.ts";
import type { Command } from "../command.ts";
import { escapeControlsInJson } from "../terminal/escape-controls.ts";
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { printPartUntilAborted, printStatus } from "../terminal/output.ts";
import { outputFormatOf, type RowFormat, startRecords } from "../terminal/output-formats.ts";
import type { Colour } from "../terminal/table.ts";
import { idOption, int64, wordsOption } from "./argument-parsers.ts";
import { withClient } from "./connection.ts";
import { addListOptions, type ListOptions, printList } from "./print-resources.ts";

interface EventFlags {
  readonly type?: readonly EventType[];
  readonly pet?: Int64;
  readonly after?: Int64;
}

interface EventOptions extends ListOptions, EventFlags {
  readonly follow?: true;
}

export function addCommands(program: Command): void {
  const command = program
    .command("events")
    .description("list the changes in the store, newest first; can also follow changes as they happen")
    .addOption(
      new Option(
        "--follow",
        "print events as they happen, until you press Ctrl-C; continues after a lost connection",
      ).conflicts(["limit", "all"]),
    )
    .addExamples(
      "petstore events --pet 1",
      "petstore events --type pet.created,pet.deleted --all --json",
      "petstore events --follow --after 0 --json",
    );
  addEventOptions(command);
  addListOptions(command).action((options: EventOptions) =>
    options.follow ? followEvents(options) : listEvents(options),
  );
}

/** Adds the options that filter events by type and animal, and the option that specifies the event to begin after. */
export function addEventOptions(command: Command): Command {
  return command
    .addOption(eventTypesOption("include only events of these types"))
    .addOption(idOption("--pet <id>", "include only events of this animal and its orders"))
    .option(
      "--after <id>",
      "start after the event with this identifier; with 0, start with the oldest event (default: only new events)",
      int64,
    );
}

function listEvents({ type: types, pet: petId, after, ...options }: EventOptions) {
  if (after !== undefined) throw new ConfigError("--after needs --follow.");
  return printList(options, eventFormat, ({ events }, paging) => events.list({ types, petId, ...paging }));
}

async function followEvents({ type: types, pet: petId, after, ...options }: EventOptions) {
  using interrupt = listenForInterrupt();
  const { signal } = interrupt;
  const records = startRecords(options, eventFormat);
  const isJson = /^json/.test(outputFormatOf(options) ?? "");
  const print = async (event: Event) =>
    isJson
      ? printPartUntilAborted(signal, `${escapeControlsInJson(writeJson(event))}\n`)
      : records.add([event]);
  if (process.stdout.isTTY) printStatus(`Following the events of ${options.environment}. Stop with Ctrl-C.`);
  try {
    await withClient(options, async ({ events }) => {
      for await (const event of events.follow({ types, petId, after, signal })) await print(event);
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const eventFormat: RowFormat<Event> = {
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

function subjectOf({ data, type }: Event): string {
  if ("petId" in data) return `order ${data.id} of animal ${data.petId}`;
  return `${type.startsWith("pet.") ? "animal" : "category"} ${data.id} ${data.name}`;
}

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

export function eventTypesOption(description: string): Option {
  return wordsOption("--type <types>", description, EVENT_TYPES);
}
