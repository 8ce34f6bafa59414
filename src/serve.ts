import { type App, createApp, SERVICE_NAMES, type ServiceName } from "./app.ts";
import type { Config } from "./config.ts";
import type { Service } from "./http/service.ts";
import { CONNECTION_IDLE_SECONDS, SHUTDOWN_DEADLINE_MS, SHUTDOWN_NOTICE_MS } from "./limits.ts";
import { createLogger, type Logger } from "./log.ts";

/** The program could not start; the message is one line for the operator. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** One open port. */
export interface Listener {
  readonly name: ServiceName | "operations";
  /** The base address on this machine, with the port that is really open. */
  readonly address: string;
  stop(): Promise<void>;
}

export interface Running {
  readonly listeners: readonly Listener[];
  /** Not ready first, then no new connections, then whatever is under way gets until the deadline. */
  stop(): Promise<void>;
}

/**
 * Opens the ports of the named services, all of them when none is named.
 *
 * @throws StartError when a port or the data cannot be had; nothing is left open then
 */
export async function serve(config: Config, names: readonly ServiceName[] = SERVICE_NAMES): Promise<Running> {
  const log = createLogger(config.logLevel);
  const app = await createApp(config, names, { log });
  const listeners: Listener[] = [];
  try {
    for (const plan of plansFor(config, app, names)) {
      const listener = listen(plan);
      listeners.push(listener);
      if (listener.name !== "operations" && plan.port === 0) app.announce(listener.name, listener.address);
    }
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.stop()));
    await app.close();
    throw error;
  }
  for (const { name, address } of listeners) log.info({ service: name, address }, "listening");
  return { listeners, stop: () => stop(app, listeners, log) };
}

/** Should a fault escape the pipeline, the client sees this much of it. */
const INTERNAL_ERROR = { code: "internal_error", message: "Something went wrong on our side.", status: 500 };

interface Plan {
  readonly name: Listener["name"];
  readonly service: Service;
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

function plansFor(config: Config, app: App, names: readonly ServiceName[]): readonly Plan[] {
  const ports = {
    production: config.productionPort,
    staging: config.stagingPort,
    messages: config.messagesPort,
  } as const;
  const plans = names.flatMap((name): Plan[] => {
    const service = app.services[name];
    const path = name === "messages" ? "" : "/v1";
    return service === undefined ? [] : [{ name, service, host: config.host, port: ports[name], path }];
  });
  // Services that run one by one on one machine would all want the same port for this.
  if (names.length === 1 && !config.isMetricsPortChosen) return plans;
  const { operations: service } = app;
  return [
    ...plans,
    { name: "operations", service, host: config.metricsHost, port: config.metricsPort, path: "/metrics" },
  ];
}

function listen({ name, service, host, port, path }: Plan): Listener {
  try {
    const server = Bun.serve({
      hostname: host,
      port,
      development: false,
      // Said outright: left out, Bun lets a second process share the port.
      reusePort: false,
      idleTimeout: CONNECTION_IDLE_SECONDS,
      // The runtime's own refusal has no body; ours has one, and reads no further than the limit that was set.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: (request) => service.fetch(request),
      error: () => Response.json(INTERNAL_ERROR, { status: INTERNAL_ERROR.status }),
    });
    return {
      name,
      address: `http://${isLocal(host) ? "localhost" : bracketed(host)}:${server.port}${path}`,
      async stop() {
        const deadline = AbortSignal.timeout(SHUTDOWN_DEADLINE_MS);
        await Promise.race([
          server.stop(),
          new Promise((resolve) => deadline.addEventListener("abort", resolve)),
        ]);
        await server.stop(true);
      },
    };
  } catch (error) {
    throw new StartError(cannotListen(name, host, port, error));
  }
}

function cannotListen(name: string, host: string, port: number, error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    const setting = name === "operations" ? "metrics" : name;
    return `Port ${port}, for ${name}, is in use. Choose another with --${setting}-port, or 0 for any free one.`;
  }
  return `Cannot listen on ${host}, port ${port}, for ${name}: ${error instanceof Error ? error.message : error}`;
}

/** Addresses that `localhost` reaches from this machine. */
function isLocal(host: string): boolean {
  return ["127.0.0.1", "localhost", "0.0.0.0", "::", "::1"].includes(host);
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

async function stop(app: App, listeners: readonly Listener[], log: Logger): Promise<void> {
  log.info("stopping");
  for (const service of [...Object.values(app.services), app.operations]) service.drain();
  await Bun.sleep(SHUTDOWN_NOTICE_MS);
  await Promise.all(listeners.map((listener) => listener.stop()));
  await app.close();
  log.info("stopped");
}
