// `npm run lab -- soak` sends hours of mixed load to one process with SQLite. Every 10 s, it writes the private memory of that
// process to a CSV file.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "../../random.ts";
import { BEHIND_PROXY } from "../../wire/browser-session.ts";
import { petstore } from "../../wire/process.ts";
import { makeKey } from "../../wire/server.ts";
import { freshEmbeddedStore, type Store } from "../../wire/stores.ts";
import { receiveGuests } from "./guests.ts";
import { type SoakKeys, startLoad } from "./load.ts";
import { actByChance } from "./requests.ts";
import { createSampler, type Sample } from "./samples.ts";
import { startService } from "./service.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "240" },
    /** The number of minutes without requests at the end of the run. */
    rest: { type: "string", default: "10" },
    rate: { type: "string", default: "75" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    csv: { type: "string" },
  },
});
const csv = values.csv ?? join(await mkdtemp(join(tmpdir(), "petstore-soak-")), "soak.csv");
const SAMPLE_MS = 10_000;
const PERSON = { email: "ada@example.com", password: "nine gentle otters" };

const random = createRandom(Number(values.seed));
const store = await freshEmbeddedStore();
const keys = await makeKeys(store);
await petstore(store, ["accounts", "create", PERSON.email], { input: `${PERSON.password}\n` });
const receiver = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answerDelivery });
const receiverUrl = `http://127.0.0.1:${receiver.port}/hook`;
const service = await startService(store, {
  ...BEHIND_PROXY,
  PETSTORE_WEBHOOKS_PRIVATE: "allow",
  PETSTORE_MESSAGES_WEBHOOK: receiverUrl,
  PETSTORE_MESSAGES_WEBHOOK_PRIVATE: "allow",
  PETSTORE_BACKUP_DIR: join(store.dataDir, "backups"),
  PETSTORE_BACKUP_EVERY: "15m",
  PETSTORE_BACKUP_KEEP: "2",
});
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void service.stop().then(() => process.exit(1)));
console.error(`process ${service.pid}, seed ${values.seed}, samples in ${csv}`);

const load = startLoad({
  service,
  keys,
  perSecond: Number(values.rate),
  seed: random.between(1, 1e9),
  act: actByChance,
});
const leave = receiveGuests({
  service,
  keys,
  random,
  receiver: receiverUrl,
  person: PERSON,
  onSurprise: (surprise) => load.surprises.push(surprise),
});
const sample = await createSampler(csv, {
  service,
  dataDir: store.dataDir,
  key: keys.read[0],
  requests: load.requests,
});

const loadedAt = await sampleFor(Number(values.minutes));
await Promise.all([load.stop(), leave()]);
const restedAt = await sampleFor(Number(values.rest));
const code = await service.stop();
await receiver.stop(true);
await rm(store.dataDir, { recursive: true });

const unexpected = [...load.surprises, ...service.complaints];
for (const line of unexpected.slice(0, 50)) console.error(line);
console.log(
  `${load.requests()} requests; private memory ${inMb(loadedAt)} MB under load, ${inMb(restedAt)} MB after ${values.rest} minutes of rest; ` +
    `${unexpected.length} surprises; exit code ${code}`,
);
process.exit(unexpected.length === 0 && code === 0 ? 0 : 1);

async function makeKeys(of: Store): Promise<SoakKeys> {
  const make = async (count: number, options: Parameters<typeof makeKey>[1]) => {
    const made: string[] = [];
    while (made.length < count) made.push(await makeKey(of, options));
    return made as [string, ...string[]];
  };
  return {
    write: await make(50, {}),
    read: await make(30, { access: "read" }),
    staging: await make(10, { environment: "staging" }),
  };
}

/** Answers a webhook delivery. Most deliveries are accepted. Some are answered late, refused, or not answered at all. */
async function answerDelivery(request: Request): Promise<Response> {
  await request.text();
  if (random.chance(0.05)) await Bun.sleep(random.between(50, 2_000));
  return new Response("thanks", { status: random.chance(0.02) ? 500 : 200 });
}

/** Measures the memory of the service for this many minutes. Resolves to the last measurement. */
async function sampleFor(minutes: number): Promise<Sample> {
  const end = performance.now() + minutes * 60_000;
  let last = await sample();
  while (performance.now() < end) {
    await Bun.sleep(Math.max(0, Math.min(SAMPLE_MS, end - performance.now())));
    last = await sample();
  }
  return last;
}

function inMb({ privateKb }: Sample): string {
  return (privateKb / 1_024).toFixed(0);
}
