import { SQL } from "bun";
import { type Build, buildOf, OURS, PROJECT } from "./builds.ts";
import { ask, post, receiverOf } from "./request.ts";
import { type Bench, runContest } from "./runner.ts";
import { PEERS, peerServer, petstore, type Server } from "./servers.ts";
import { summarize } from "./statistics.ts";
import { createKey, ourStore, peerStore, type Stores, storesOn } from "./stores.ts";
import { format, markdown, type Sample } from "./table.ts";
import type { Work } from "./works.ts";

const OWN = ["1 process", "1 webhook"]; // servers whose measurements the calculated table uses
const RATES = [500, 50_000]; // animals created per second: 500 means 1,000 shops that each create one every two seconds
const CORE_MICROS = 0.6e6; // CPU time per second that one core may use; if it used more, requests would wait
const SERVER_CORES = 32; // CPU cores of a large database server
const LOG_MB_MAX = 750; // megabytes of write-ahead log per second: 60 % of a 10 Gbit/s connection to a standby
const GB_A_DAY = 1e9 / 86_400; // one gigabyte a day, in bytes per second

const BACKLOG = 4_000; // webhook deliveries that are queued before each measurement; no measurement needs that many

/**
 * A workload that delivers events to a webhook. The webhook's receiver answers one request of the load generator for each delivery.
 */
const DELIVER: Work = {
  name: "deliver",
  async requests(target) {
    const pet = JSON.stringify({ name: "Sent", categoryId: 1 });
    for (let sent = 0; sent < BACKLOG; sent += 100)
      await Promise.all(Array.from({ length: 100 }, () => ask(target, post(target, pet))));
    return [{ path: "/", headers: {}, status: 200 }];
  },
  portOf: receiverOf,
  counts: { settle: BACKLOG / 2, warmUp: BACKLOG / 8, measure: BACKLOG / 4 },
};

/** Measures what processes, event streams and webhooks cost on PostgreSQL, both for the service and for the database server. */
export async function costs(bench: Bench): Promise<void> {
  const { works, versus } = bench.options;
  const stores = await storesOn("postgres", bench);
  let copy = "";
  const copying = { ...stores, copy: async (address: string) => (copy = await stores.copy(address)) };
  const ours = await shopsOf(copying, OURS, "");
  const bases = versus ? await shopsOf(stores, await buildOf(bench, versus), " base") : [];
  const theirs = await peerStore(stores, ours[0]?.store.key ?? "");
  const peers = PEERS.filter(({ engine }) => engine === "postgres");
  const servers = peers.map((peer) => peerServer(peer, theirs, bench.folder));
  servers.unshift(...ours.slice(0, -1), ...bases.slice(0, -1));
  const senders = [...ours.slice(-1), ...bases.slice(-1)];
  const samples = await runContest(bench, { title: "costs", servers, works });
  const sent = { title: "deliveries", servers: senders, works: [DELIVER] };
  const table = await onPaper([...samples, ...(await runContest(bench, sent))], copy);
  process.stdout.write(`### costs on paper\n\nCalculated from the medians of the same run.\n\n${table}`);
}

/** Creates the servers to measure. Each is used by a different kind of shop, and the last one has a webhook. */
async function shopsOf(stores: Stores, build: Build, suffix: string): Promise<Server[]> {
  const store = await ourStore(stores, build);
  const newKey = () => createKey(build, store.flag, store.address);
  const streamKeys = await Promise.all([newKey(), newKey(), newKey()]);
  function shop(name: string, processes: number, program?: string, ...keys: readonly string[]): Server {
    const env = { PETSTORE_PROCESSES: String(processes), PETSTORE_WEBHOOKS_PRIVATE: "allow" };
    const server = petstore(name + suffix, build, store);
    const companion =
      program === undefined ? undefined : [process.execPath, `${PROJECT}bench/load/${program}`];
    const launch: Server["launch"] = async (target) => {
      const { command } = await server.launch(target, undefined);
      return { command, env, companion: companion && [...companion, String(target.port), ...keys] };
    };
    return { ...server, launch, subject: suffix ? name : undefined };
  }
  return [
    ...[shop("1 process", 1), shop("2 processes", 2), shop("4 processes", 4)],
    shop("300 streams", 1, "read-streams.ts", ...streamKeys),
    shop("1 webhook", 1, "receive.ts", store.key),
  ];
}

/**
 * Returns a table of the resources that are needed to create animals at two rates, calculated from the medians of the measurements.
 *
 * @param copy address of a store with deliveries
 */
async function onPaper(samples: readonly Sample[], copy: string): Promise<string> {
  await using sql = new SQL(copy, { max: 1 });
  const figure = (work: string, name: string) => {
    const own = samples.filter(({ server, title }) => OWN.includes(server) && title.startsWith(work));
    return summarize(own.map(({ figures }) => figures[name] ?? Number.NaN)).middle;
  };
  const need = (name: string, amount: number, perUnit: number, unit: string, max?: number) => [
    ...[name, format(amount)],
    ...RATES.map((rate) => `${format((rate * amount) / perUnit)} ${unit}`),
    max ? `${format((max * perUnit) / amount)} (${max} ${unit})` : "",
  ];
  const cores = (work: string, name: string, max?: number) =>
    need(`${name}, ${work}`, figure(work, name), CORE_MICROS, "cores", max);
  const rows = [
    need("log B", figure("create", "log B"), 1e6, "MB/s", LOG_MB_MAX),
    ...[cores("create", "CPU µs"), cores("create", "PostgreSQL µs", SERVER_CORES)],
    ...[cores("deliver", "CPU µs"), cores("deliver", "PostgreSQL µs", SERVER_CORES)],
    need("delivery to one webhook", 1, figure("deliver", "requests/s"), "webhooks", 1),
  ];
  for (const table of ["delivery_attempt", "delivery", "event", "pet"]) {
    const [row] = await sql.unsafe(
      `SELECT pg_total_relation_size('production.${table}') / count(*)::float AS bytes FROM production.${table}`,
    );
    rows.unshift(need(`${table} B`, row.bytes, GB_A_DAY, "GB a day"));
  }
  return markdown(
    ["", "a create", ...RATES.map((rate) => `at ${format(rate)}/s`), "creates/s at most"],
    rows,
  );
}
