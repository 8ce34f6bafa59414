import { Argument } from "commander";
import { type Config, SETTING_NAMES } from "../../config.ts";
import { SERVICE_NAMES, type ServiceName } from "../../context.ts";
import { SAME_SIGNAL_MS } from "../../limits.ts";
import type { Running } from "../../server/serve.ts";
import type { SupervisorMessage, WorkerMessage } from "../../server/worker-process.ts";
import type { Command } from "../command.ts";
import { announce } from "./announce.ts";
import { addSettings, configOf } from "./settings.ts";

export function addCommands(program: Command): void {
  const command = program
    .command("serve")
    .description("start the service: production, staging and messages; or only one of them")
    .addArgument(new Argument("[service]", "only this service").choices(SERVICE_NAMES))
    .addExamples("petstore serve", "petstore serve staging --staging-port 9000 --data-dir ./trial");
  addSettings(command, SETTING_NAMES);

  command.action(async (service: ServiceName | undefined, options: object) => {
    const config = configOf(options);
    const names = service === undefined ? SERVICE_NAMES : [service];
    if (config.isSupervised) return serveAsWorker(config, names);
    await announce(config, await handleSignals(start(config, names)));
  });
}

/** Starts the service, which is imported only here: every other command starts faster without it. */
async function start(config: Config, names: readonly ServiceName[]): Promise<Running> {
  if (config.processes > 1) return (await import("../../server/supervisor.ts")).supervise(config, names);
  return (await import("../../server/serve.ts")).serve(config, names);
}

/** Serves as a worker process: reports to its supervisor, and stops when the supervisor dies. */
async function serveAsWorker(config: Config, names: readonly ServiceName[]) {
  const { serve } = await import("../../server/serve.ts");
  const { newestTimeline } = await import("../../storage/open.ts");
  const { createForwardedChanges } = await import("../../server/forwarded-changes.ts");
  const send = (message: WorkerMessage) => void (process.connected && process.send?.(message));
  const changes = createForwardedChanges(() => newestTimeline(config), send);
  const serving = serve(config, names, { changes });
  process.on("message", async (message: SupervisorMessage) => {
    if (message.kind !== "metrics") return changes.receive(message);
    const { app } = await serving;
    send({ kind: "metrics", metrics: await app.metrics.registry.getMetricsAsJSON() });
  });
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  await handleSignals(serving.then((running) => ({ ...running, reload: async () => {} })));
  send({ kind: "ready" });
}

/**
 * Handles signals from before the first log line on: a supervisor that reads "listening" may send SIGTERM at once.
 *
 * @throws the error of the start
 */
async function handleSignals<Started extends Running>(starting: Promise<Started>): Promise<Started> {
  let stoppingSince: number | undefined;
  async function stop() {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    await onceStarted(({ stop: end }) => end().then(() => process.exit(0)));
  }
  /** Runs `work` once the service has started; a failed start ends the process, even after a signal. */
  const onceStarted = (work: (started: Started) => Promise<void>) => starting.then(work, () => {});
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop());
  process.on("SIGHUP", () => void onceStarted(({ reload = stop }) => reload()));
  const started = await starting;
  started.failed?.then(() => process.exit(1));
  return started;
}
