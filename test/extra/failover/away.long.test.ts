import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { CONNECTIONS_DEFAULT } from "../../../src/limits.ts";
import { type ServerProcess, startProcess } from "../../wire/process.ts";
import { send } from "../../wire/send.ts";
import { makeKey } from "../../wire/server.ts";
import { type Cluster, startCluster } from "./cluster.ts";

const AWAY_MS = 25_000;
const CLIENTS = 50;

let cluster: Cluster;
let server: ServerProcess;
beforeAll(async () => {
  cluster = await startCluster();
  server = await startProcess({
    store: { dataDir: "", settings: { PETSTORE_DATABASE_URL: cluster.address } },
  });
});
afterAll(async () => {
  await server.kill();
  await cluster.remove();
});

test("while the standby is unavailable for 25 s, no retried write is acknowledged and the limit of connections holds", async () => {
  const key = await makeKey(server.store);
  const admin = new SQL(cluster.primary().url, { max: 1 });
  const processes = async (): Promise<number> =>
    Number(
      (await admin`SELECT count(*) AS count FROM pg_stat_activity WHERE application_name = 'petstore'`)[0]
        .count,
    );
  const statuses = new Map<number, number>();
  let isOver = false;
  let isAway = false;
  /** The responses to requests that were sent and answered while the standby was unavailable. */
  const answeredAway = new Set<number>();
  /** Sends requests to the service, and retries each one that gets a 503. Half of the clients send an Idempotency-Key. */
  async function runClient(number: number): Promise<void> {
    for (let count = 0; !isOver; ) {
      const isMessage = number % 2 === 0;
      const isSentAway = isAway;
      const { status } = await send(
        "POST",
        isMessage ? `${server.messages}/messages` : `${server.production}/pets`,
        {
          key,
          body: isMessage ? '{"message":"x"}' : '{"name":"x","categoryId":1}',
          ...(number % 4 < 2 && { headers: { "Idempotency-Key": `${number}-${count}` } }),
        },
      );
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (isSentAway && isAway) answeredAway.add(status);
      if (status !== 503) count++;
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, number) => runClient(number));
  while ((statuses.get(201) ?? 0) < 500) await Bun.sleep(10);
  const before = await processes();
  cluster.cutOff();
  // For a moment, the standby still acknowledges writes that were sent before the network was cut.
  isAway = true;
  let most = 0;
  for (const endsAt = performance.now() + AWAY_MS; performance.now() < endsAt; await Bun.sleep(500))
    most = Math.max(most, await processes());
  expect([...answeredAway]).toEqual([503]);
  const counts = (): readonly number[] => [201, 202].map((status) => statuses.get(status) ?? 0);
  const acknowledged = counts();
  isAway = false;
  cluster.reconnect();
  while (counts().some((count, index) => count <= (acknowledged[index] ?? 0))) await Bun.sleep(10);
  isOver = true;
  await Promise.all(clients);
  await admin.close();
  console.log(
    `processes of the server: ${before} before, at most ${most} meanwhile; answers ${JSON.stringify([...statuses])}`,
  );
  expect(most).toBeLessThanOrEqual(CONNECTIONS_DEFAULT);
  expect([...statuses.keys()].sort()).toEqual([201, 202, 503]);
});
