import type { Config } from "../config.ts";
import { SERVICE_NAMES, type ServiceName } from "../context.ts";
import { SHUTDOWN_NOTICE_MS } from "../limits.ts";
import { createLogger, type Logger } from "../telemetry/logger.ts";
import { type App, createApp } from "./app.ts";
import { announce, bindAddressesFor, type Listener, listen, metricsBindAddresses } from "./listener.ts";

export interface Running {
  readonly listeners: readonly Listener[];
  /** Says in the log where each service listens. */
  announce(): void;
  /** Not ready first, then no new connections, then whatever is under way gets until the deadline. */
  stop(): Promise<void>;
  /** Resolves when it cannot go on, and those who asked have been told: the process has to end as it is. */
  readonly failed?: Promise<void>;
  /** Replaces what serves without refusing a request, where that can be done. */
  reload?(): Promise<void>;
}

/** One process that serves, and what it counts. */
export interface Serving extends Running {
  readonly app: App;
}

/**
 * Opens the ports of the named services, all of them when none is named.
 *
 * @throws StartError when a port or the data cannot be had; nothing is left open then
 */
export async function serve(config: Config, names: readonly ServiceName[] = SERVICE_NAMES): Promise<Serving> {
  const log = createLogger(config.logLevel);
  const app = await createApp(config, names, { log });
  const listeners: Listener[] = [];
  try {
    for (const place of bindAddressesFor(config, names)) {
      const service = app.services[place.name];
      if (service === undefined) continue;
      const listener = listen(place, service, { isShared: config.isSupervised });
      listeners.push(listener);
      if (place.port === 0) app.announce(place.name, listener.address);
    }
    for (const place of config.isSupervised ? [] : metricsBindAddresses(config, names)) {
      listeners.push(listen(place, app.operations));
    }
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.stop()));
    await app.close();
    throw error;
  }
  return {
    app,
    listeners,
    announce: () => announce(listeners, log),
    stop: () => stop(app, listeners, log),
    failed: app.broken.then(() => giveUp(app)),
  };
}

/** Nothing is closed: that would write back a log which cannot be trusted. */
async function giveUp(app: App): Promise<void> {
  drain(app);
  await Bun.sleep(SHUTDOWN_NOTICE_MS);
}

function drain(app: App): void {
  for (const service of [...Object.values(app.services), app.operations]) service.drain();
}

async function stop(app: App, listeners: readonly Listener[], log: Logger): Promise<void> {
  log.info("stopping");
  drain(app);
  await Bun.sleep(SHUTDOWN_NOTICE_MS);
  await Promise.all(listeners.map((listener) => listener.stop()));
  await app.close();
  log.info("stopped");
}
