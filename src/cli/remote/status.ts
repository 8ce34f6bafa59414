import { z } from "zod";
import { DEFAULT_ADDRESSES } from "../../../client/src/service-addresses.ts";
import { ENVIRONMENTS } from "../../context.ts";
import { DOCTOR_DEADLINE_MS } from "../../limits.ts";
import type { Command } from "../command.ts";
import { printAll, type TableFormat } from "../terminal/output-formats.ts";
import { addPrintedOptions, addressesOf, type RemoteOptions } from "./connection.ts";
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
      "show whether the services are ready; with their versions and addresses; exit code 1 if one is not",
    )
    .addExamples("petstore status", "petstore status --environment staging --json");
  addPrintedOptions(command, ["url", "messagesUrl"]).action(showStatus);
}

async function showStatus(options: RemoteOptions, command: Command) {
  const isOneAsked = command.getOptionValueSource("environment") !== "default";
  const statuses = await Promise.all(
    [...addressesToAsk(options, isOneAsked)].map(([address, service]) => statusOf(service, address)),
  );
  printAll(options, format, statuses);
  if (statuses.some(({ state }) => state !== "ready")) process.exitCode = 1;
}

/** Services whose status is read, by address, each once. Flags and PETSTORE_URL apply to the environment of the options. */
function addressesToAsk(options: RemoteOptions, isOneAsked: boolean): ReadonlyMap<string, string> {
  const logins = readCredentials();
  const named = addressesOf(options, logins[options.environment]);
  const found = new Map<string, string>([[named.url, options.environment]]);
  for (const environment of isOneAsked ? [] : ENVIRONMENTS) {
    const address = logins[environment]?.url ?? DEFAULT_ADDRESSES[environment];
    if (environment !== options.environment && !found.has(address)) found.set(address, environment);
  }
  if (named.messagesUrl !== undefined) found.set(named.messagesUrl, "messages");
  return found;
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

/** Reads a service's version from its OpenAPI document; empty without one. */
async function versionOf(url: string): Promise<string> {
  try {
    return documentSchema.parse(JSON.parse((await getText(url)) ?? "")).info.version;
  } catch {
    return "";
  }
}

/** Gets a text over HTTP. @returns undefined without an answer, or if another program answers */
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
