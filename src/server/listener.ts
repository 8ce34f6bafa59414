import type { Config } from "../config.ts";
import type { ServiceName } from "../context.ts";
import { errorMessage } from "../errors.ts";
import { SECURITY_HEADERS } from "../http/security-headers.ts";
import type { Service } from "../http/service.ts";
import { CONNECTION_IDLE_SECONDS, SHUTDOWN_DEADLINE_MS } from "../limits.ts";
import type { Logger } from "../telemetry/logger.ts";

/** The program could not start; the message is one line for the operator. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Where a service is to listen. */
export interface BindAddress {
  readonly name: ServiceName | "operations";
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** What follows the authority in the base address. */
  readonly path: string;
}

export interface ServiceBindAddress extends BindAddress {
  readonly name: ServiceName;
}

/** One open port. */
export interface Listener {
  readonly name: BindAddress["name"];
  readonly port: number;
  /** The base address on this machine, with the port that is really open. */
  readonly address: string;
  /** Takes no more connections; requests under way get until the deadline. */
  stop(): Promise<void>;
}

/** Where the named services are to listen, by the settings. */
export function bindAddressesFor(
  config: Config,
  names: readonly ServiceName[],
): readonly ServiceBindAddress[] {
  const { host } = config;
  const places: Readonly<Record<ServiceName, ServiceBindAddress>> = {
    production: { name: "production", host, port: config.productionPort, path: "/v1" },
    staging: { name: "staging", host, port: config.stagingPort, path: "/v1" },
    messages: { name: "messages", host, port: config.messagesPort, path: "" },
  };
  return names.map((name) => places[name]);
}

/** Where metrics are to be had. Services that run one by one on one machine would all want the same port for that. */
export function metricsBindAddresses(config: Config, names: readonly ServiceName[]): readonly BindAddress[] {
  if (names.length === 1 && !config.isMetricsPortChosen) return [];
  return [{ name: "operations", host: config.metricsHost, port: config.metricsPort, path: "/metrics" }];
}

/** Should a fault escape the pipeline, the client sees this much of it. */
const INTERNAL_ERROR = { code: "internal_error", message: "Something went wrong on our side.", status: 500 };

/**
 * Opens a port.
 *
 * @param options.isShared whether other processes of ours listen on it, too
 * @throws StartError
 */
export function listen(
  { name, host, port, path }: BindAddress,
  service: Pick<Service, "fetch">,
  options: { readonly isShared: boolean } = { isShared: false },
): Listener {
  try {
    const server = Bun.serve({
      hostname: host,
      port,
      development: false,
      // Said outright: left out, Bun lets a second process share the port.
      reusePort: options.isShared,
      idleTimeout: CONNECTION_IDLE_SECONDS,
      // The runtime's own refusal has no body; ours has one, and reads no further than the limit that was set.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: (request, server) => service.fetch(request, () => server.requestIP(request)?.address),
      error: () =>
        Response.json(INTERNAL_ERROR, { status: INTERNAL_ERROR.status, headers: SECURITY_HEADERS }),
    });
    return {
      name,
      port: server.port ?? port,
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
  return `Cannot listen on ${host}, port ${port}, for ${name}: ${errorMessage(error)}`;
}

/** Addresses that `localhost` reaches from this machine. */
function isLocal(host: string): boolean {
  return ["127.0.0.1", "localhost", "0.0.0.0", "::", "::1"].includes(host);
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Says in the log where each service listens. */
export function announce(listeners: readonly Listener[], log: Logger): void {
  for (const { name, address } of listeners) log.info({ service: name, address }, "listening");
}
