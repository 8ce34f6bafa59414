import type { Config } from "../../config.ts";
import { SERVICE_NAMES } from "../../context.ts";
import { errorMessage } from "../../errors.ts";
import { type BindAddress, bindAddressesFor, listen, metricsBindAddresses } from "../../server/listener.ts";
import { askService } from "./ask-service.ts";
import { type CheckResult, fail, ok } from "./check-result.ts";

/** Whether each port is free, or served by this program already and ready. */
export async function checkPorts(config: Config): Promise<readonly CheckResult[]> {
  const places = [...bindAddressesFor(config, SERVICE_NAMES), ...metricsBindAddresses(config, SERVICE_NAMES)];
  const findings: CheckResult[] = [];
  // One after the other: two of them may be set to the same port.
  for (const place of places) findings.push(await checkPort(place));
  return findings;
}

async function checkPort(place: BindAddress): Promise<CheckResult> {
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
async function tryToListen(place: BindAddress): Promise<string | undefined> {
  try {
    await listen(place, { fetch: async () => new Response(null, { status: 503 }) }).stop();
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}
