/**
 * Starts clients that each send one request after another until they are stopped.
 *
 * @param request sends one request and returns its status. `turn` is the number of requests that the same client has sent before.
 */
export function startClients<Status>(
  count: number,
  request: (client: number, turn: number) => Promise<Status>,
) {
  const statuses = new Map<Status, number>();
  let slowestMs = 0;
  let isOver = false;
  async function send(client: number): Promise<void> {
    for (let turn = 0; !isOver; turn++) {
      const startedAt = performance.now();
      const status = await request(client, turn);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  const running = Array.from({ length: count }, (_, client) => send(client));
  return {
    statuses,
    slowestMs: () => slowestMs,
    async stop(): Promise<void> {
      isOver = true;
      await Promise.all(running);
    },
  };
}
