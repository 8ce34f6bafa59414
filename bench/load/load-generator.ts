import type { Job, Outcome } from "./job.ts";

export interface LoadGenerator extends AsyncDisposable {
  run(job: Job): Promise<Outcome>;
}

/** Far more than a job's own time: then the server, or the generator, hangs. */
const PATIENCE_MS = 30_000;

/** Starts the process that asks; it inherits this program's core. */
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
      const patience = job.warmUpMs + job.measureMs + PATIENCE_MS;
      const timer = setTimeout(() => resolve({ fault: "The load generator does not come back." }), patience);
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
