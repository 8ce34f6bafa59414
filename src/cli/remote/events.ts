import { type Command, Option } from "commander";
import type { Event, Int64 } from "../../../client/src/client.ts";
import { ConfigError } from "../../config.ts";
import { writeJson } from "../../contract/json/json.ts";
import type { EventType } from "../../events/event.ts";
import { addExamples } from "../examples.ts";
import { escapeControlsInJson } from "../terminal/escape-controls.ts";
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { printPartUntilAborted, printStatus } from "../terminal/output.ts";
import { outputFormatOf, startRecords } from "../terminal/records.ts";
import { idOption, int64 } from "./argument-parsers.ts";
import { withClient } from "./connection.ts";
import { eventFormat } from "./event-format.ts";
import { eventTypesOption } from "./event-types.ts";
import { addListOptions, type ListOptions, printList } from "./print-resources.ts";

interface EventFlags {
  readonly type?: readonly EventType[];
  readonly pet?: Int64;
  readonly after?: Int64;
}

interface EventOptions extends ListOptions, EventFlags {
  readonly follow?: true;
}

/** `petstore events` */
export function addEventCommand(program: Command): void {
  const command = program
    .command("events")
    .description("list what was changed, newest first, or follow it as it happens")
    .addOption(
      new Option(
        "--follow",
        "print events as they happen, until Ctrl-C; goes on by itself after a lost connection",
      ).conflicts(["limit", "all"]),
    );
  addEventOptions(command);
  addListOptions(command).action((options: EventOptions) =>
    options.follow ? followEvents(options) : listEvents(options),
  );
  addExamples(
    command,
    "petstore events --pet 1",
    "petstore events --type pet.created,pet.deleted --all --json",
    "petstore events --follow --after 0 --json",
  );
}

/** Which events, and from which on. */
export function addEventOptions(command: Command): Command {
  return command
    .addOption(eventTypesOption("only events of these types"))
    .addOption(idOption("--pet <id>", "only events of this animal and of its orders", "animal"))
    .option(
      "--after <id>",
      "begin behind this event, 0 for the oldest (default: what happens from now on)",
      int64,
    );
}

function listEvents({ type: types, pet: petId, after, ...options }: EventOptions): Promise<void> {
  if (after !== undefined) throw new ConfigError("--after needs --follow.");
  return printList(options, eventFormat, ({ events }, paging) => events.list({ types, petId, ...paging }));
}

async function followEvents({ type: types, pet: petId, after, ...options }: EventOptions): Promise<void> {
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
