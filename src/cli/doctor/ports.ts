import type { Config } from "../../config.ts";
import { SERVICE_NAMES } from "../../context.ts";
import { errorMessage } from "../../errors.ts";
import { type BindAddress, bindAddressesFor, listen, metricsBindAddresses } from "../../server/listener.ts";
import { type CheckResult, fail, ok } from "./check-result.ts";
import { readReadiness } from "./readiness.ts";

/** Checks that each port is free, or in use by a petstore service that is ready. */
export async function checkPorts(config: Config): Promise<readonly CheckResult[]> {
  const addresses = [
    ...bindAddressesFor(config, SERVICE_NAMES),
    ...metricsBindAddresses(config, SERVICE_NAMES),
  ];
  const results: CheckResult[] = [];
  // The ports are checked one after the other. Two settings may name the same port, and simultaneous checks of that port would
  // disturb each other.
  for (const address of addresses) results.push(await checkPort(address));
  return results;
}

async function checkPort(address: BindAddress): Promise<CheckResult> {
  const check = `port ${address.port}, ${address.name}`;
  if (address.port === 0) return ok(check, "a free port will be chosen when the service starts");
  const listenError = await tryToListen(address);
  if (listenError === undefined) return ok(check, "is free");
  const readiness = await readReadiness(address);
  if (readiness === "ready")
    return ok(check, "petstore is running at this port, and is ready to answer requests");
  if (readiness === "not ready")
    return fail(
      check,
      "petstore is running at this port, but is not ready to answer requests",
      "To find out why, open /readyz at this port, and look for errors in the service's log.",
    );
  const another = `choose another port with --${address.name}-port.`;
  if (listenError.includes(" is in use"))
    return fail(check, "another program uses this port", `Stop that program, or ${another}`);
  const [fault = "", advice = `Change the address, or ${another}`] = listenError.split(/(?<=\.) /);
  return fail(check, fault, advice);
}

/** Tries to open a port. @returns the error; undefined if the port is free */
async function tryToListen(address: BindAddress): Promise<string | undefined> {
  try {
    await listen(address, { fetch: async () => new Response(null, { status: 503 }) }).stop();
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}
