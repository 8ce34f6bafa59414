import { Argument } from "commander";
import { hasPeople } from "../../accounts/accounts.ts";
import { createInvitation } from "../../accounts/invitations/invitations.ts";
import { describeSignUp, signUpPolicyOf } from "../../accounts/sign-up.ts";
import { type Config, SETTING_NAMES, SETTINGS } from "../../config.ts";
import { SERVICE_NAMES, type ServiceName } from "../../context.ts";
import { SAME_SIGNAL_MS } from "../../limits.ts";
import { parseDatabaseUrl } from "../../platform/database-url.ts";
import { folderOffPath, invocation } from "../../platform/executable.ts";
import type { Running } from "../../server/serve.ts";
import type { SupervisorMessage, WorkerMessage } from "../../server/worker-process.ts";
import type { Command } from "../command.ts";
import { printStatus } from "../terminal/output.ts";
import { pasteable } from "../terminal/shell-quote.ts";
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
    const running = await handleSignals(start(config, names));
    printStatus(await banner(config, running));
    running.logAddresses();
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

/** Text printed when the service has started: addresses, and commands to paste for the first requests. */
async function banner(config: Config, running: Running): Promise<string> {
  const { listeners } = running;
  const lines = listeners.map(({ name, address }) => `  ${name.padEnd(12)}${address}`);
  const store = listeners.find(({ name }) => name === "production" || name === "staging");
  const isOtherFolder = config.databaseUrl === undefined && config.dataDir !== SETTINGS.dataDir.default;
  const dataDir = isOtherFolder ? ` --data-dir ${pasteable(config.dataDir)}` : "";
  const sameSettings =
    config.databaseUrl === undefined ? "" : `, with the same ${SETTINGS.databaseUrl.variable}`;
  const environment = store?.name ?? "production";
  const petstore = pasteable(invocation());
  const typed = (words: string) => `${petstore} ${words}${dataDir}`;
  const makeKey = `  export KEY=$(${typed(`keys create --environment ${environment}`)})`;
  const origin = store && new URL(store.address).origin;
  const publicUrl = (environment === "staging" ? config.stagingUrl : config.productionUrl) ?? store?.address;
  const folder = folderOffPath();
  const toPath = folder === undefined ? [] : [`  export PATH=${pasteable(folder)}:$PATH`];
  const next = [...toPath, makeKey, ...(store === undefined ? [] : curlLines(store.address))];
  return [
    "",
    "petstore is ready.",
    "",
    ...lines,
    `  ${"data".padEnd(12)}${dataLocation(config)}`,
    "",
    ...(await signUpLines({
      config,
      running,
      origin: publicUrl && new URL(publicUrl).origin,
      petstore: typed,
    })),
    ...(origin === undefined ? [] : browserLines(origin)),
    `In another terminal${sameSettings}: create a key, add an animal, list the animals.`,
    "",
    ...next,
    "",
    "Stop with Ctrl-C.",
    "",
  ].join("\n");
}

function browserLines(origin: string): readonly string[] {
  return [
    "In a browser: add an animal, create a key; or try each operation of the API.",
    "",
    `  ${origin}/`,
    `  ${origin}/docs`,
    "",
  ];
}

/** Place of the data, without user and password of the database address. */
function dataLocation({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === undefined ? dataDir : (parseDatabaseUrl(databaseUrl)?.shown ?? "");
}

function curlLines(address: string): readonly string[] {
  const authorization = '-H "Authorization: Bearer $KEY"';
  const body = `-H "Content-Type: application/json" -d '{"name":"Fluffy","categoryId":1,"status":"available"}'`;
  return [`  curl ${address}/pets ${authorization} ${body}`, `  curl ${address}/pets ${authorization}`];
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

interface Start {
  readonly config: Config;
  readonly running: Pick<Running, "asOperator">;
  /** The console's address for people; undefined if no console is served. */
  readonly origin: string | undefined;
  /** A command of this program to paste, with the settings of the store. */
  readonly petstore: (command: string) => string;
}

/** Lines about the sign-up policy, and how to become the owner if there is none. */
async function signUpLines(start: Start): Promise<readonly string[]> {
  const policy = signUpPolicyOf(start.config);
  const lines = [`Sign-up is ${describeSignUp(policy, SETTINGS.signUp.variable)}.`];
  const isOwned = await start.running
    .asOperator(({ query }) => hasPeople(query))
    // The service runs, whatever this query's outcome.
    .catch(() => true);
  if (isOwned) return [...lines, ""];
  const first = {
    open: async () => ["There is no owner yet: the first account is an owner's."],
    invite: () => firstInvitation(start),
    closed: async () => [
      "There is no owner yet. Create the first account, which is an owner's:",
      "",
      `  ${start.petstore("accounts create EMAIL")}`,
    ],
  };
  return [...lines, ...(await first[policy.mode]()), ""];
}

const DEFAULT_ORIGIN = `http://localhost:${SETTINGS.productionPort.default}`;

/** Lines that invite the first owner: a link on a terminal; elsewhere, where logs may keep it, a command that prints it. */
async function firstInvitation({ running, origin, petstore }: Start): Promise<readonly string[]> {
  if (!process.stderr.isTTY || origin === undefined) {
    const isElsewhere = origin !== undefined && origin !== DEFAULT_ORIGIN;
    const address = isElsewhere ? ` --production-url ${origin}/v1` : "";
    const command = petstore(`accounts invite --role owner${address}`);
    return ["There is no owner yet. Print the first invitation:", "", `  ${command}`];
  }
  const { path } = await running.asOperator((ctx) => createInvitation(ctx, { role: "owner" }));
  return [
    "There is no owner yet. This link makes the first account, once, within 72 hours:",
    "",
    `  ${origin}${path}`,
  ];
}
