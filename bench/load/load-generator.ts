import type { Job, Outcome } from "./job.ts";

export interface LoadGenerator extends AsyncDisposable {
  run(job: Job): Promise<Outcome>;
}

/** Added to a job's own time: after it, the server or the generator hangs. */
const HANG_TIMEOUT_MS = 30_000;

/** The process inherits this program's core. */
export function startLoadGenerator(): LoadGenerator {
  let settle = (_outcome: Outcome): void => {};
  const child = Bun.spawn([process.execPath, Bun.fileURLToPath(new URL("generator.ts", import.meta.url))], {
    stdio: ["ignore", "inherit", "inherit"],
    ipc: (outcome: Outcome) => settle(outcome),
    onExit: () => settle({ fault: "The load generator ended." }),
  });
  return {
    async run(job) {
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      settle = resolve;
      const timeoutMs = job.warmUpMs + job.measureMs + HANG_TIMEOUT_MS;
      const timer = setTimeout(
        () => resolve({ fault: "The load generator did not finish in time." }),
        timeoutMs,
      );
      child.send(job);
      const outcome = await promise;
      clearTimeout(timer);
      return outcome;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}
