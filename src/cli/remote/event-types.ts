import { InvalidArgumentError, Option } from "commander";
import { EVENT_TYPES, type EventType } from "../../events/event.ts";

/** `--type pet.created,pet.deleted` */
export function eventTypesOption(description: string): Option {
  // The choices are what a shell completes; the parser takes several of them.
  return new Option("--type <types>", `${description}, separated by commas`)
    .choices(EVENT_TYPES)
    .argParser(eventTypes);
}

/** @throws InvalidArgumentError */
function eventTypes(text: string): EventType[] {
  return text.split(",").map((word) => {
    const type = EVENT_TYPES.find((one) => one === word.trim());
    if (type === undefined) throw new InvalidArgumentError(`It must be of ${EVENT_TYPES.join(", ")}.`);
    return type;
  });
}
