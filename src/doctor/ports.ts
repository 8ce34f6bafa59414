import type { Config } from "../config.ts";
import { SERVICE_NAMES } from "../context.ts";
import { listen, operationsPlaces, type Place, placesFor } from "../listen.ts";
import { messageOf } from "../thrown.ts";
import { askService } from "./ask-service.ts";
import { type Finding, fail, ok } from "./finding.ts";

/** Whether each port is free, or served by this program already and ready. */
export async function examinePorts(config: Config): Promise<readonly Finding[]> {
  const places = [...placesFor(config, SERVICE_NAMES), ...operationsPlaces(config, SERVICE_NAMES)];
  const findings: Finding[] = [];
  // One after the other: two of them may be set to the same port.
  for (const place of places) findings.push(await examine(place));
  return findings;
}

async function examine(place: Place): Promise<Finding> {
  const check = `port ${place.port}, ${place.name}`;
  if (place.port === 0) return ok(check, "a free one is picked at the start");
  const listening = await tryToListen(place);
  if (listening === undefined) return ok(check, "is free");
  const answer = await askService(place);
  if (answer === "ready") return ok(check, "is served, and ready");
  if (answer === "not ready")
    return fail(
      check,
      "is served, and not ready",
      "Its log says why: look for lines with the message fault.",
    );
  const setting = place.name === "operations" ? "metrics" : place.name;
  const message = listening.includes(" is in use") ? "is used by something else" : listening;
  return fail(check, message, `End what uses it, or choose another with --${setting}-port.`);
}

/** @returns why not, or undefined when it can be had */
async function tryToListen(place: Place): Promise<string | undefined> {
  try {
    await listen(place, { fetch: async () => new Response(null, { status: 503 }) }).stop();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
