import { parseArgs } from "node:util";
import { OURS_ON, PEERS } from "./servers.ts";
import { WORKS } from "./works.ts";

const PARTS = ["compare", "start", "growth", "costs"] as const;
const SERVERS = [...Object.values(OURS_ON), ...PEERS.map(({ name }) => name)];
const ALL_WORKS = WORKS.map(({ name }) => name);
/** For each part of the benchmark, the workloads that are measured by default. */
const USUAL = {
  compare: ["list-hot", "list-pages", "get", "unauthorized", "create", "create-once"],
  start: [],
  growth: ALL_WORKS.filter((name) => name !== "unauthorized"),
  costs: ["list-hot", "create"],
};

const TEXT = { type: "string" } as const;

export type Options = ReturnType<typeof readOptions>;

export const USAGE = `usage: npm run bench -- [${PARTS.join("|")}] [--vs FOLDER|COMMIT] [--quick] [--only SERVER,…]
  [--work KIND,…] [--connections N,…] [--slices N]
  servers: ${SERVERS.join(", ")}
  kinds of work: ${ALL_WORKS.join(", ")}`;

/** Reads the command-line options. @throws Error with a message for the user */
export function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      ...{ only: TEXT, work: TEXT, connections: TEXT, slices: TEXT, vs: TEXT },
    },
  });
  const { quick: isQuick, vs, only, connections = "64" } = values;
  const [part = "compare"] = choose(PARTS, positionals);
  const servers = choose(SERVERS, only?.split(",") ?? SERVERS);
  const peers = PEERS.filter(({ name }) => servers.includes(name));
  const works = choose(ALL_WORKS, values.work?.split(",") ?? USUAL[part]);
  return {
    part,
    isQuick,
    peers: peers.map(({ name }) => name),
    engines: (["sqlite", "postgres"] as const).filter(
      (engine) => servers.includes(OURS_ON[engine]) || peers.some((peer) => peer.engine === engine),
    ),
    // The workloads keep the order of WORKS, where workloads that change the store come last.
    works: WORKS.filter(({ name }) => works.includes(name)),
    /** The numbers of concurrent clients, which are measured one after the other. */
    connections: connections.split(",").map(count),
    slices: count(values.slices ?? (isQuick ? "2" : "10")),
    /** In a quick run, all numbers of responses are divided by this number. */
    shortening: isQuick ? 10 : 1,
    /** A folder or commit with another build of petstore, which is compared with this one. */
    versus: vs,
  };
}

/** Returns the chosen names. @throws Error if a name does not exist */
function choose<Name extends string>(names: readonly Name[], chosen: readonly string[]): readonly Name[] {
  const unknown = chosen.find((name) => !names.some((one) => one === name));
  if (unknown !== undefined) throw new Error(`Unknown name ${unknown}. Use one of ${names.join(", ")}`);
  return names.filter((name) => chosen.includes(name));
}

function count(text: string): number {
  if (!/^[1-9][0-9]*$/.test(text)) throw new Error(`${text} is not a positive whole number.`);
  return Number(text);
}
