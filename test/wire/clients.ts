/**
 * Clients that each send one request after another, until they are stopped.
 *
 * @param request sends one and returns its status; `turn` counts the client's requests
 */
export function startClients<Status>(
  count: number,
  request: (client: number, turn: number) => Promise<Status>,
) {
  /** Number of responses, keyed by status. */
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
    /** Longest time that any request took. */
    slowestMs: () => slowestMs,
    async stop(): Promise<void> {
      isOver = true;
      await Promise.all(running);
    },
  };
}
