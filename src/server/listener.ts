import { isIP } from "node:net";
import { SETTINGS } from "../config/settings.ts";
import type { Config } from "../config.ts";
import type { ServiceName } from "../context.ts";
import { errorCode, errorMessage } from "../errors.ts";
import { SECURITY_HEADERS } from "../http/browser-headers.ts";
import type { Service } from "../http/service.ts";
import { bracketHost } from "../platform/ip-address.ts";

export const CONNECTION_IDLE_SECONDS = 30; // time after which Bun closes an idle connection; it is longer than all deadlines of requests, so that their responses can still be sent
export const SHUTDOWN_DEADLINE_MS = 10_000; // time for running requests to finish after SIGTERM, before their connections are cut off

/** Thrown when the program cannot start. The message tells the operator why, in one line. */
export class StartError extends Error {
  override readonly name = "StartError";
}

export interface BindAddress {
  readonly name: ServiceName | "metrics";
  readonly host: string;
  /** The port to open. If it is 0, the operating system chooses a free port. */
  readonly port: number;
  readonly path: string;
}

interface ServiceBindAddress extends BindAddress {
  readonly name: ServiceName;
}

export interface Listener {
  readonly name: BindAddress["name"];
  readonly port: number;
  /** The service's address on this machine, with the port that was actually opened. */
  readonly address: string;
  /** Closes all connections that have no running request. @returns the number of closed connections */
  closeIdle(): number;
  /** Stops accepting connections, and waits until running requests have finished or the deadline has passed. */
  stop(): Promise<void>;
}

export function bindAddressesFor(
  config: Config,
  names: readonly ServiceName[],
): readonly ServiceBindAddress[] {
  const { host } = config;
  const addresses: Readonly<Record<ServiceName, ServiceBindAddress>> = {
    production: { name: "production", host, port: config.productionPort, path: "/v1" },
    staging: { name: "staging", host, port: config.stagingPort, path: "/v1" },
    messages: { name: "messages", host, port: config.messagesPort, path: "" },
  };
  return names.map((name) => addresses[name]);
}

/**
 * Returns the host and port for the metrics, or an empty list if no metrics port is opened. A process that runs only one service
 * opens the port only if the operator has set it, because several such processes often run on one machine and would all use the
 * default port.
 */
export function metricsBindAddresses(config: Config, names: readonly ServiceName[]): readonly BindAddress[] {
  if (names.length === 1 && !config.isMetricsPortChosen) return [];
  return [{ name: "metrics", host: config.metricsHost, port: config.metricsPort, path: "/metrics" }];
}

const INTERNAL_ERROR = {
  code: "internal_error",
  message: "An unexpected error occurred in the service.",
  status: 500,
};

/**
 * Opens a port and serves the requests that arrive on it.
 *
 * @param options.isShared true if other processes of this program open the same port
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
      // `reusePort` must be set even if it is false. Otherwise, Bun would let a second petstore use the same port.
      reusePort: options.isShared,
      idleTimeout: CONNECTION_IDLE_SECONDS,
      // The runtime's own 413 response has no body, so `http/body.ts` enforces the limit instead.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: (request, server) =>
        service.fetch(request, {
          peer: () => server.requestIP(request)?.address,
          cutOff: () => server.timeout(request, 1),
        }),
      error: () =>
        Response.json(INTERNAL_ERROR, { status: INTERNAL_ERROR.status, headers: SECURITY_HEADERS }),
    });
    return {
      name,
      port: server.port ?? port,
      address: localAddress({ host, port: server.port ?? port, path }),
      closeIdle: () => server.closeIdleConnections(),
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

function cannotListen(name: BindAddress["name"], host: string, port: number, error: unknown): string {
  const code = errorCode(error);
  if (code === "EADDRINUSE")
    return `Port ${port}, for ${name}, is in use. Choose another port with --${name}-port, or 0 for any free port.`;
  if (code === "EACCES")
    return `This user may not open port ${port}, for ${name}. Choose a port above 1023 with --${name}-port.`;
  const { variable } = name === "metrics" ? SETTINGS.metricsHost : SETTINGS.host;
  return `Cannot listen on ${host} (${variable}): ${hostFault(host, code, error)}. Use 127.0.0.1, 0.0.0.0 for all interfaces, or another address of this machine.`;
}

function hostFault(host: string, code: string, error: unknown): string {
  // When the name of a host cannot be resolved, the runtime reports the code of an earlier error, so the code is not used.
  if (isIP(host) === 0) return "it is not a name of this machine";
  // EINVAL is the code for a link-local address without a zone.
  return ["EADDRNOTAVAIL", "EINVAL"].includes(code)
    ? "it is not an address of this machine"
    : errorMessage(error);
}

/** Opens all ports, or none if one of them cannot be opened. @throws StartError with one line for each cause */
export async function listenOnAll<Address extends BindAddress>(
  addresses: readonly Address[],
  open: (address: Address) => Listener,
): Promise<readonly Listener[]> {
  const opened: Listener[] = [];
  // Collects the errors in a set, because a wrong host causes the same error for each service, and the error should be reported
  // only once.
  const faults = new Set<string>();
  for (const address of addresses) {
    try {
      opened.push(open(address));
    } catch (error) {
      faults.add(errorMessage(error));
    }
  }
  if (faults.size === 0) return opened;
  await Promise.all(opened.map((listener) => listener.stop()));
  throw new StartError([...faults].join("\n"));
}

/** Returns a service's address on this machine. It contains `localhost` if that name leads to the service. */
export function localAddress({ host, port, path }: Omit<BindAddress, "name">): string {
  const isLocal = ["127.0.0.1", "localhost", "0.0.0.0", "::", "::1"].includes(host);
  return `http://${isLocal ? "localhost" : bracketHost(host)}:${port}${path}`;
}
