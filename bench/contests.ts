import { join } from "node:path";
import { buildExecutable } from "../scripts/build/executable.ts";
import { hostTarget } from "../scripts/build/targets.ts";
import { buildOf, OURS, PROJECT } from "./builds.ts";
import { type Bench, runContest, runStarts } from "./runner.ts";
import { OURS_ON, PEERS, peerServer, petstore, type Server } from "./servers.ts";
import { ourStore, peerStore, storesOn } from "./stores.ts";

const SIZES = [1_000_000, 1_000];
const QUICK_SIZES = [100_000, 1_000];
const START_ANIMALS = 1_000;
const OTHER_PORTS = ["staging", "messages", "metrics"].flatMap((name) => [`--${name}-port`, "0"]);

/**
 * Compares petstore with other servers on SQLite and on PostgreSQL. Also compares it with another build of petstore, if the options
 * name one.
 */
export async function compare(bench: Bench): Promise<void> {
  const { engines, peers, works, versus } = bench.options;
  const base = versus === undefined ? undefined : await buildOf(bench, versus);
  for (const engine of engines) {
    const stores = await storesOn(engine, bench);
    const ours = await ourStore(stores, OURS);
    const theirs = await peerStore(stores, ours.key);
    const others = PEERS.filter((peer) => peer.engine === engine && peers.includes(peer.name));
    await runContest(bench, {
      title: `petstore and others, ${engine}`,
      servers: [
        petstore(OURS_ON[engine], OURS, ours),
        ...(base ? [petstore("base", base, await ourStore(stores, base))] : []),
        ...others.map((peer) => peerServer(peer, theirs, bench.folder)),
      ],
      works,
      isCompared: true,
    });
  }
}

/** Measures the start of `petstore serve` with all its services, from the command to the first page of animals. */
export async function start(bench: Bench): Promise<void> {
  const store = await ourStore(await storesOn("sqlite", bench), OURS, START_ANIMALS);
  const target = hostTarget();
  if (target === undefined) throw new Error("No executable is built for this kind of machine.");
  const executable = join(bench.folder, "petstore");
  await buildExecutable(target, executable);
  const server = (name: string, ...program: readonly string[]): Server => ({
    name,
    store,
    launch: async ({ port }) => ({
      command: [
        ...[...program, "serve", "--data-dir", await store.copy()],
        ...["--production-port", String(port), ...OTHER_PORTS],
      ],
    }),
  });
  const servers = [
    server("bundle", ...OURS()),
    // Starts the sources in the same way as the bundle. The command names src/main.ts, because bin/petstore.js would run the
    // bundle.
    server("sources", "node", `${PROJECT}bin/bun.js`, `${PROJECT}src/main.ts`),
    server("executable", executable),
  ];
  await runStarts(bench, "start to first response", servers);
}

/** Measures how much slower petstore is with a large store than with a small one, when animals are read and created. */
export async function growth(bench: Bench): Promise<void> {
  const { isQuick, works } = bench.options;
  const servers: Server[] = [];
  for (const animals of isQuick ? QUICK_SIZES : SIZES) {
    const store = await ourStore(await storesOn("sqlite", bench), OURS, animals);
    servers.push(petstore(`${animals.toLocaleString("en")} animals`, OURS, store));
  }
  await runContest(bench, { title: "growth", servers, works });
}
