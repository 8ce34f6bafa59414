import { InvalidArgumentError } from "commander";
import { type Event, type Int64, PetstoreError } from "../../../client/src/client.ts";
import { readRemoteSettings } from "../../config/environment.ts";
import { writeJson } from "../../contract/json/json.ts";
import { deliveryErrorText } from "../../delivery/destination.ts";
import { postSigned } from "../../delivery/webhook.ts";
import type { EventType } from "../../event-kinds/event-kinds.ts";
import { formatTime, systemClock } from "../../platform/clock.ts";
import { parseHttpUrl } from "../../platform/http-url.ts";
import { systemRandomBytes } from "../../platform/random.ts";
import { eventMessage } from "../../webhooks/event-message.ts";
import { createWebhookSecret } from "../../webhooks/secret.ts";
import type { Command } from "../command.ts";
import { escapeControlsInJson } from "../terminal/escape-controls.ts";
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { printPart, printStatus } from "../terminal/output.ts";
import { startTable } from "../terminal/table.ts";
import { addRemoteOptions, callService, connectionFor, type RemoteOptions } from "./connection.ts";
import { addEventOptions } from "./events.ts";

const LISTEN_DELAYS_MS = [1_000, 2_000, 5_000] as const; // delays before the retries of a delivery by `petstore listen`

interface ListenOptions extends RemoteOptions {
  readonly forwardTo: string;
  readonly type?: readonly EventType[];
  readonly pet?: Int64;
  readonly after?: Int64;
}

export function addCommands(program: Command): void {
  const command = program
    .command("listen")
    .description(
      "deliver staging's events to a program on this machine; runs until you press Ctrl-C; signs deliveries like those of a webhook",
    )
    .requiredOption("--forward-to <url>", "address of the program", httpUrl)
    .addExamples(
      "petstore listen --forward-to http://localhost:3000/hook",
      "petstore listen --forward-to http://localhost:3000/hook --after 0",
    );
  addEventOptions(command).option("--json", "print one line of JSON for each delivery attempt");
  addRemoteOptions(command, ["url"], "staging").action(listen);
}

function httpUrl(text: string): string {
  if (parseHttpUrl(text) === undefined)
    throw new InvalidArgumentError("Use an http or https URL without a fragment.");
  return text;
}

async function listen({ type: types, pet: petId, after, ...options }: ListenOptions) {
  const connection = connectionFor(options);
  using interrupt = listenForInterrupt();
  const { signal } = interrupt;
  const { forwardTo, environment } = options;
  const deliver = createDeliverer(forwardTo, signingSecret(), signal);
  const print = options.json ? printJsonLine : startAttemptTable();
  const { origin, pathname } = new URL(forwardTo);
  printStatus(`Delivering the events of ${environment} to ${origin}${pathname}. Stop with Ctrl-C.`);
  try {
    await callService(connection, options, async ({ events }) => {
      for (let known = after; ; known = 0) {
        try {
          for await (const event of events.follow({ types, petId, after: known, signal }))
            for await (const attempt of deliver(event)) print(attempt);
        } catch (error) {
          if (!(error instanceof PetstoreError && error.code === "cursor_expired")) throw error;
          printStatus(
            "Earlier events were deleted, for example by a reset. Continuing with the first event that still exists.",
          );
        }
      }
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * Returns the secret that signs deliveries. The secret is read from an environment variable, because a flag would be visible in the
 * list of processes. If the variable is not set, a new secret is created.
 */
function signingSecret(): string {
  const { listenSecret } = readRemoteSettings();
  if (listenSecret !== undefined) return listenSecret;
  const secret = createWebhookSecret(systemRandomBytes);
  printStatus(
    `Deliveries are signed with ${secret}. To use the same secret next time, set PETSTORE_LISTEN_SECRET.`,
  );
  return secret;
}

interface Attempt extends Pick<Event, "type"> {
  readonly time: string;
  readonly eventId: Int64;
  readonly durationMs: number;
  readonly status: number | null;
  readonly isDelivered: boolean;
  readonly error?: string;
  /** Milliseconds until the delivery is attempted again; absent after the last attempt. */
  readonly retryMs?: number;
}

/** Delivers each event, with a few retries, so that the receiving program misses no event while it restarts. */
function createDeliverer(url: string, secret: string, signal: AbortSignal) {
  const rule = { privateDestinations: "allow", setting: "" } as const;
  return async function* deliver(event: Event): AsyncGenerator<Attempt, void, undefined> {
    const message = { url, secrets: [secret], ...eventMessage(event) };
    for (const delay of [...LISTEN_DELAYS_MS, undefined]) {
      const now = systemClock.now();
      const startedAt = performance.now();
      const answer = await postSigned(message, rule, now, signal).then(
        ({ outcome, status = null }) => ({ status, isDelivered: outcome === "delivered" }),
        (error: unknown) => ({ status: null, isDelivered: false, error: deliveryErrorText(error) }),
      );
      signal.throwIfAborted();
      const durationMs = Math.round(performance.now() - startedAt);
      const retryMs = answer.isDelivered ? undefined : delay;
      const retry = retryMs !== undefined && { retryMs };
      yield { time: formatTime(now), eventId: event.id, type: event.type, durationMs, ...answer, ...retry };
      if (retryMs === undefined) return;
      await systemClock.wait(retryMs, signal);
    }
  };
}

function printJsonLine(attempt: Attempt) {
  printPart(`${escapeControlsInJson(writeJson(attempt))}\n`);
}

function startAttemptTable(): (attempt: Attempt) => void {
  const table = startTable(["TIME", "EVENT", "TYPE", "MS", "ANSWER"]);
  return ({ time, eventId, type, durationMs, status, isDelivered, error, retryMs }) => {
    const result = status === null ? error : String(status);
    const next = isDelivered
      ? ""
      : retryMs === undefined
        ? "; giving up"
        : `; will retry in ${retryMs / 1000} s`;
    const answer = { text: `${result}${next}`, colour: isDelivered ? "green" : "yellow" } as const;
    table.add([[time, String(eventId), type, String(durationMs), answer]]);
  };
}
