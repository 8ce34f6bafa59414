import { Argument, InvalidArgumentError, Option } from "commander";
import { type Int64, parseInt64 } from "exact-json/int64";
import { ID_FILTER_MAX } from "../../limits.ts";
import { repeatable } from "../command.ts";

export function idArgument(of: string, description = `identifier of the ${of}`, name = "<id>"): Argument {
  return new Argument(name, description).argParser(int64);
}

export function idsArgument(of: string): Argument {
  const collect = (text: string, before: readonly Int64[] = []) => [...before, int64(text)];
  return new Argument("<id...>", `identifier of the ${of}; you can give several identifiers`).argParser(
    collect,
  );
}

/** Creates an option whose value is an identifier. @param flags the flags of the option, such as `--category <id>` */
export function idOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(int64);
}

export function namesOption(): Option {
  return new Option(
    "--name <words>",
    "include only animals whose names contain these words; the beginning of each word is enough",
  );
}

/** Creates an option that takes comma-separated words. The shell completes each word from the choices. */
export function wordsOption<Word extends string>(
  flags: string,
  description: string,
  words: readonly Word[],
): Option {
  // If the option is given several times, the words of all occurrences are collected. The first occurrence replaces the default.
  const parsed = new WeakSet<readonly Word[]>();
  const parse = (text: string, before: readonly Word[] = []) => {
    const added = text.split(",").map((part) => {
      const word = words.find((one) => one === part.trim());
      if (word === undefined) throw new InvalidArgumentError(`Choose from ${words.join(", ")}.`);
      return word;
    });
    const all = [...new Set(parsed.has(before) ? [...before, ...added] : added)];
    parsed.add(all);
    return all;
  };
  return repeatable(new Option(flags, `${description}, separated by commas`).choices(words).argParser(parse));
}

export function int64(text: string): Int64 {
  const value = parseInt64(text);
  if (value === undefined) throw new InvalidArgumentError("Use a 64-bit integer.");
  return value;
}

export function int64List(text: string): readonly Int64[] {
  const values = text.split(",").map((part) => int64(part.trim()));
  if (values.length > ID_FILTER_MAX) throw new InvalidArgumentError(`Use at most ${ID_FILTER_MAX} values.`);
  return values;
}

export function textList(text: string): readonly string[] {
  const texts = text.split(",").map((part) => part.trim());
  if (texts.length <= ID_FILTER_MAX && texts.every((part) => part !== "")) return texts;
  throw new InvalidArgumentError(`Use 1 to ${ID_FILTER_MAX} values, separated by commas.`);
}

/** Parses an ETag, or `*`. The quotes of the ETag may be missing, because a shell removes them. @throws InvalidArgumentError */
export function entityTag(text: string): string {
  if (text === "*") return text;
  const [, , tag] = /^(?:W\/)?("?)([!#-~]+)\1$/.exec(text) ?? [];
  if (tag === undefined) throw new InvalidArgumentError("Use the ETag that the show command prints.");
  return `"${tag}"`;
}

/** Parses the separator of CSV: one character, or `tab`. @throws InvalidArgumentError */
export function separator(text: string): string {
  if (/^(tab|\\t)$/i.test(text)) return "\t";
  if ([...text].length === 1 && !/["\r\n\p{L}\p{N}]/u.test(text)) return text;
  throw new InvalidArgumentError("Use one character, such as ; or |, or the word tab.");
}

/** Parses an RFC 3339 time, or a date, which stands for midnight in this machine's time zone. @throws InvalidArgumentError */
export function moment(text: string): Date {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[-+]\d\d:\d\d)$/i.test(text);
  const time = new Date(isDate ? `${text}T00:00:00` : text);
  // `Date` accepts days that do not exist, and turns 2026-02-30 into a day in March.
  const isReal = !Number.isNaN(time.getTime()) && (!isDate || time.getDate() === Number(text.slice(-2)));
  if ((isDate || isTime) && isReal) return time;
  throw new InvalidArgumentError("Use a date, such as 2026-11-01, or a time, such as 2026-11-01T09:00:00Z.");
}

export function nonNegativeInteger(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError("Use an integer of at least 0.");
  return Number(text);
}

export function positiveInteger(text: string): number {
  if (!/^[1-9][0-9]*$/.test(text)) throw new InvalidArgumentError("Use an integer above 0.");
  return Number(text);
}
