import { Argument } from "commander";
import { SETTING_NAMES } from "../../config/settings.ts";
import type { Config } from "../../config.ts";
import { SERVICE_NAMES, type ServiceName } from "../../context.ts";
import { SAME_SIGNAL_MS } from "../../limits.ts";
import type { Running } from "../../server/serve.ts";
import type { SupervisorMessage, WorkerMessage } from "../../server/worker-process.ts";
import type { Command } from "../command.ts";
import { handleHangups } from "../terminal/hangup.ts";
import { announce } from "./announce.ts";
import { addSettings, configOf } from "./settings.ts";

export function addCommands(program: Command): void {
  const command = program
    .command("serve")
    .description("start the service: production, staging and messages; or only one of these services")
    .addArgument(new Argument("[service]", "start only this service").choices(SERVICE_NAMES))
    .addExamples("petstore serve", "petstore serve staging --staging-port 9000 --data-dir ./trial");
  addSettings(command, SETTING_NAMES);

  command.action(async (service: ServiceName | undefined, options: object) => {
    const names = service === undefined ? SERVICE_NAMES : [service];
    const config = configOf(options, names);
    if (config.isSupervised) return serveAsWorker(config, names);
    const starting = start(config, names);
    const stop = stopAtSignals(starting);
    const onReload = () => void starting.then(reload, () => {});
    starting.catch(handleHangups({ onTerminalClosed: stop, onReload }));
    await announce(config, await started(starting));
  });
}

/**
 * Starts the service. The service's code is imported here, and not at the top of this file, so that all other commands start
 * faster.
 */
async function start(config: Config, names: readonly ServiceName[]): Promise<Running> {
  if (config.processes > 1) return (await import("../../server/supervisor.ts")).supervise(config, names);
  return (await import("../../server/serve.ts")).serve(config, names);
}

/** Runs the service as a worker process, which reports to its supervisor, and stops when the supervisor dies. */
async function serveAsWorker(config: Config, names: readonly ServiceName[]) {
  const { serve } = await import("../../server/serve.ts");
  const { newestTimeline } = await import("../../storage/open.ts");
  const { createForwardedChangeFeed } = await import("../../server/forwarded-changes.ts");
  const send = (message: WorkerMessage) => void (process.connected && process.send?.(message));
  const changes = createForwardedChangeFeed(() => newestTimeline(config), send);
  const serving = serve(config, names, { changes });
  process.on("message", async (message: SupervisorMessage) => {
    if (message.kind !== "metrics") return changes.receive(message);
    const { app } = await serving;
    send({ kind: "metrics", metrics: await app.metrics.registry.getMetricsAsJSON() });
  });
  stopAtSignals(serving);
  // A worker ignores SIGHUP, because its supervisor handles it: when a terminal closes, or somebody signals the whole process
  // group, the supervisor gets the signal, too.
  process.on("SIGHUP", () => {});
  await started(serving);
  send({ kind: "ready" });
}

/**
 * Stops the service at SIGINT or SIGTERM. Call this before the service writes its first log line, because a supervisor that reads
 * "listening" may send SIGTERM at once. A second signal some time later ends the process without waiting for running requests.
 *
 * @returns a function that also stops the service
 */
function stopAtSignals(starting: Promise<Running>): () => void {
  let stoppingSince: number | undefined;
  function stop() {
    if (stoppingSince !== undefined) return;
    stoppingSince = performance.now();
    // The error of a failed start is ignored here, because it ends the process anyway.
    void starting.then(
      (running) => running.stop().then(() => process.exit(0)),
      () => {},
    );
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      if (stoppingSince !== undefined && performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      stop();
    });
  return stop;
}

/** Resolves once the service has started. After that, a fatal error ends the process. @throws the error that prevented the start */
async function started(starting: Promise<Running>): Promise<Running> {
  const running = await starting;
  running.failed?.then(() => process.exit(1));
  return running;
}

async function reload({ reload: replaceWorkers, log }: Running) {
  if (replaceWorkers !== undefined) return replaceWorkers();
  log.info(
    "SIGHUP has no effect on a single process; restart the service to use another version or other settings",
  );
}
