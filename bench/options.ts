import { parseArgs } from "node:util";
import { OURS_ON, PEERS } from "./servers.ts";
import { WORKS } from "./works.ts";

const PARTS = ["all", "compare", "start", "growth", "costs", "versus"];
const SERVERS = [...Object.values(OURS_ON), ...PEERS.map(({ name }) => name)];

const TEXT = { type: "string" } as const;

export type Options = ReturnType<typeof readOptions>;

export const USAGE = `usage: npm run bench -- [compare|start|growth|costs] [--vs COMMIT] [--quick] [--only SERVER,…]
  [--work KIND,…] [--connections N,…] [--rounds N] [--seconds N]
  servers: ${SERVERS.join(", ")}
  kinds of work: ${WORKS.map(({ name }) => name).join(", ")}`;

/** @throws Error with a message for the command line */
export function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      ...{ only: TEXT, work: TEXT, connections: TEXT, rounds: TEXT, seconds: TEXT, vs: TEXT },
    },
  });
  const { quick: isQuick, vs, only } = values;
  const isCosts = positionals[0] === "costs";
  const { work = isCosts ? "list-hot,create" : undefined, connections = isCosts ? "64" : undefined } = values;
  const isChoice = [only, work, connections].some((value) => value !== undefined);
  // Two builds are compared on SQLite unless --only says otherwise.
  const servers = choose(SERVERS, only?.split(",") ?? (vs === undefined ? SERVERS : [OURS_ON.sqlite]));
  const peers = PEERS.filter(({ name }) => servers.includes(name));
  const works = choose(
    WORKS.map(({ name }) => name),
    work?.split(","),
  );
  return {
    part: choose(PARTS, [positionals[0] ?? (vs ? "versus" : isChoice ? "compare" : "all")])[0],
    isQuick,
    peers: peers.map(({ name }) => name),
    /** Engines that petstore is measured on. */
    engines: (["sqlite", "postgres"] as const).filter(
      (engine) => servers.includes(OURS_ON[engine]) || peers.some((peer) => peer.engine === engine),
    ),
    // In the order of WORKS: work that changes the store comes last.
    works: WORKS.filter(({ name }) => works.includes(name)),
    /** Numbers of concurrent clients. */
    connections: (connections ?? (isQuick ? "64" : "1,64,256")).split(",").map(count),
    rounds: count(values.rounds ?? (isQuick ? "1" : "3")),
    /** Load before the first measurement of each work. */
    // Each of several processes compiles for itself.
    settleMs: isQuick ? 800 : isCosts ? 6_000 : 2_000,
    warmUpMs: isQuick ? 200 : 300,
    measureMs: Number(values.seconds ?? (isQuick ? 0.5 : 1.2)) * 1000,
    /** The commit that this folder is compared with. */
    versus: vs,
  };
}

function choose(names: readonly string[], chosen: readonly string[] = names): readonly string[] {
  const unknown = chosen.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`Unknown name ${unknown}. Use one of ${names.join(", ")}`);
  return chosen;
}

function count(text: string): number {
  if (!/^[1-9][0-9]*$/.test(text)) throw new Error(`${text} is not a positive whole number.`);
  return Number(text);
}
