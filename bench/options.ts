import { parseArgs } from "node:util";
import { CONTESTANTS, type Contestant } from "./contestants.ts";
import { WORKS, type Work } from "./work.ts";

export const COMMANDS = ["all", "compare", "commit-floor", "start", "growth"] as const;
export type Command = (typeof COMMANDS)[number];

export interface Options {
  readonly command: Command;
  readonly isQuick: boolean;
  /** Always with petstore: the others are compared with it. */
  readonly contestants: readonly Contestant[];
  readonly works: readonly Work[];
  readonly connections: readonly number[] | undefined;
  readonly rounds: number;
  readonly settleMs: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  readonly jsonFile: string | undefined;
  /** The commit that this folder is compared with. */
  readonly versus: string | undefined;
}

export const USAGE = `usage: npm run bench -- [compare|commit-floor|start|growth] [--vs COMMIT] [--quick] [--only PEER,…] [--work KIND,…]
  [--connections N,…] [--rounds N] [--seconds N] [--json FILE]
  peers: ${CONTESTANTS.map(({ name }) => name).join(", ")}
  kinds of work: ${WORKS.map(({ name }) => name).join(", ")}`;

const QUICK_WORKS = ["list-hot", "list-pages", "get", "unauthorized", "create", "create-once"];
const QUICK_CONNECTIONS = [64];

/** @throws Error with a message for the command line */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      work: { type: "string" },
      connections: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      json: { type: "string" },
      vs: { type: "string" },
    },
  });
  const { quick: isQuick, vs, only, work, connections } = values;
  const names = work?.split(",") ?? (isQuick ? QUICK_WORKS : WORKS.map(({ name }) => name));
  const isChoice = [vs, only, work, connections].some((value) => value !== undefined);
  return {
    command: pick(COMMANDS, positionals[0] ?? (isChoice ? "compare" : "all"), (name) => name),
    isQuick,
    // Two builds are compared on SQLite unless PostgreSQL is asked for.
    contestants: contestantsOf(only?.split(",") ?? (vs === undefined ? undefined : ["petstore"])),
    works: worksOf(names),
    connections: connections?.split(",").map(count) ?? (isQuick ? QUICK_CONNECTIONS : undefined),
    rounds: count(values.rounds ?? (isQuick ? "1" : "3")),
    settleMs: isQuick ? 800 : 2_000,
    warmUpMs: isQuick ? 200 : 300,
    measureMs: Number(values.seconds ?? (isQuick ? 0.5 : 1.2)) * 1000,
    jsonFile: values.json,
    versus: vs,
  };
}

/** In the order of WORKS: work that changes the store comes last. */
function worksOf(names: readonly string[]): readonly Work[] {
  const chosen = names.map((name) => pick(WORKS, name, (work) => work.name));
  return WORKS.filter((work) => chosen.includes(work));
}

function contestantsOf(names: readonly string[] | undefined): readonly Contestant[] {
  if (names === undefined) return CONTESTANTS;
  const chosen = names.map((name) => pick(CONTESTANTS, name, (contestant) => contestant.name));
  return CONTESTANTS.filter(
    ({ name, engine, part }) =>
      names.includes(name) || (part === "ours" && chosen.some((one) => one.engine === engine)),
  );
}

function pick<Item>(items: readonly Item[], name: string, nameOf: (item: Item) => string): Item {
  const found = items.find((item) => nameOf(item) === name);
  if (found === undefined)
    throw new Error(`Unknown name ${name}. Use one of ${items.map(nameOf).join(", ")}`);
  return found;
}

function count(text: string): number {
  if (!/^[1-9][0-9]*$/.test(text)) throw new Error(`${text} is not a positive whole number.`);
  return Number(text);
}
