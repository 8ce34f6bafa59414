import { z } from "zod";
import { ENVIRONMENTS, type Environment, SERVICE_NAMES } from "../../context.ts";
import { DOCTOR_DEADLINE_MS } from "../../limits.ts";
import { bindAddressesFor, localAddress } from "../../server/listener.ts";
import type { Command } from "../command.ts";
import { addSettings, configOf } from "../operator/settings.ts";
import { printAll, type TableFormat } from "../terminal/output-formats.ts";
import {
  addPrintedOptions,
  addressesOf,
  DEFAULT_LOCAL,
  type LocalAddresses,
  type RemoteOptions,
} from "./connection.ts";
import { readCredentials } from "./credentials.ts";

interface ServiceStatus {
  readonly service: string;
  readonly state: "ready" | "not ready" | "no answer";
  readonly version: string;
  readonly address: string;
}

const COLOURS = { ready: "green", "not ready": "yellow", "no answer": "bold" } as const;

const format: TableFormat<ServiceStatus> = {
  plural: "services",
  headings: { service: "SERVICE", state: "STATE", version: "VERSION", address: "ADDRESS" },
  cells: { state: (state) => ({ text: state, colour: COLOURS[state] }) },
};

export function addCommands(program: Command): void {
  const command = program
    .command("status")
    .description(
      "show whether the services are ready; prints their versions and addresses; the exit code is 1 if any service is not ready",
    )
    .addExamples("petstore status", "petstore status --environment staging --json");
  addPrintedOptions(command, ["url", "messagesUrl"]);
  addSettings(command, ["host", "productionPort", "stagingPort", "messagesPort"]).action(showStatus);
}

async function showStatus(options: RemoteOptions, command: Command) {
  const isOneAsked = command.getOptionValueSource("environment") !== "default";
  const statuses = await Promise.all(
    [...addressesToAsk(options, isOneAsked)].map(([address, service]) => statusOf(service, address)),
  );
  printAll(options, format, statuses);
  if (statuses.some(({ state }) => state !== "ready")) process.exitCode = 1;
}

/**
 * Returns the names of the services to check, keyed by address. Services at the same address share an entry, so that only one
 * request is sent there. `--url` and `PETSTORE_URL` set the address of the environment that the options select. A port or host in a
 * flag or an environment variable takes precedence over a stored login.
 */
function addressesToAsk(options: RemoteOptions, isOneAsked: boolean): ReadonlyMap<string, string> {
  const local = localAddresses(options);
  const logins = readCredentials();
  const loggedInAt = (environment: Environment) => ({
    url: local[environment] === DEFAULT_LOCAL[environment] ? logins[environment]?.url : undefined,
    messagesUrl: local.messages === DEFAULT_LOCAL.messages ? logins[environment]?.messagesUrl : undefined,
  });
  const selected = addressesOf(options, loggedInAt(options.environment), local);
  const services = new Map<string, string>([[selected.url, options.environment]]);
  for (const environment of isOneAsked ? [] : ENVIRONMENTS) {
    const address = loggedInAt(environment).url ?? local[environment];
    if (environment !== options.environment && !services.has(address)) services.set(address, environment);
  }
  if (selected.messagesUrl !== undefined) services.set(selected.messagesUrl, "messages");
  return services;
}

/**
 * Returns the addresses of the services on this machine, according to the settings. A service whose port is 0 is left out, because
 * the operating system chooses its port when the service starts.
 */
function localAddresses(options: RemoteOptions): LocalAddresses {
  const addresses = bindAddressesFor(configOf(options), SERVICE_NAMES).filter(({ port }) => port !== 0);
  return { ...DEFAULT_LOCAL, ...Object.fromEntries(addresses.map((one) => [one.name, localAddress(one)])) };
}

async function statusOf(service: string, address: string): Promise<ServiceStatus> {
  const beside = address.replace(/\/v1$/, "");
  const [state, version] = await Promise.all([
    stateOf(`${beside}/readyz`),
    versionOf(`${beside}/openapi.json`),
  ]);
  return { service, state, version, address };
}

async function stateOf(url: string): Promise<ServiceStatus["state"]> {
  const answer = await getText(url);
  if (answer === undefined) return "no answer";
  return answer === '{"status":"ready"}' ? "ready" : "not ready";
}

const documentSchema = z.object({ info: z.object({ version: z.string() }) });

/** Reads a service's version from its OpenAPI document. Returns an empty text if the document cannot be read. */
async function versionOf(url: string): Promise<string> {
  try {
    return documentSchema.parse(JSON.parse((await getText(url)) ?? "")).info.version;
  } catch {
    return "";
  }
}

/**
 * Sends a GET request and returns the response body.
 *
 * @returns undefined if nothing responds, or the response does not come from petstore
 */
async function getText(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(DOCTOR_DEADLINE_MS),
      redirect: "manual",
    });
    const isOurs = response.ok || response.status === 503;
    return isOurs ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}
