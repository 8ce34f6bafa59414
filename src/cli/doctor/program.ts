import { isIP } from "node:net";
import { RUNTIME_SETTINGS } from "../../../bin/runtime.js";
import { missingRuntimeSettings } from "../../config/environment.ts";
import type { Config } from "../../config.ts";
import { parseDatabaseUrl } from "../../platform/database-url.ts";
import { PROGRAM_KIND } from "../../platform/executable.ts";
import { isLoopbackHost, unbracketHost } from "../../platform/ip-address.ts";
import { type CheckResult, ok, warn } from "./check-result.ts";

const BUILT = {
  executable: "petstore runs as one executable file that contains everything",
  package: "petstore runs from the npm package",
  checkout: "petstore runs from the bundle that was built from this source checkout",
};

/**
 * Reports whether the program runs as an executable, as a bundle, or from its source files. If it runs from its source files, the
 * report says why, because nothing else shows that the bundle is out of date.
 */
export async function checkProgram(): Promise<CheckResult> {
  if (PROGRAM_KIND !== "sources") return ok("program", BUILT[PROGRAM_KIND]);
  const { staleness } = await import("../../../bin/bundle.js");
  const reason = staleness();
  return reason === undefined
    ? ok("program", "petstore runs from its sources; ./petstore would run the bundle, which starts faster")
    : warn(
        "program",
        `petstore runs from its sources, which start more slowly than a bundle: ${reason}`,
        "Run: npm run prepare",
      );
}

const DNS_SETTING = "BUN_CONFIG_DNS_TIME_TO_LIVE_SECONDS";

/**
 * Checks whether the environment variables that Bun reads when it starts are set. Warns only if the address of a database server
 * contains a host name: its IP address may change, and only then do these variables matter.
 */
export function checkRuntime({ databaseUrl }: Pick<Config, "databaseUrl">): CheckResult {
  const missing = missingRuntimeSettings();
  if (missing.length === 0) return ok("runtime", `${Object.keys(RUNTIME_SETTINGS).join(" and ")} are set`);
  const verb = missing.length === 1 ? "is" : "are";
  const message = `${missing.join(" and ")} ${verb} not set for this command. The single executable cannot set these variables for itself; the systemd unit, the container image and the npm package set them`;
  const servers = parseDatabaseUrl(databaseUrl ?? "")?.servers ?? [];
  if (!missing.includes(DNS_SETTING) || !servers.some(hasName)) return ok("runtime", message);
  const assignments = missing.map((name) => `${name}=${RUNTIME_SETTINGS[name]}`).join(" and ");
  const advice = `Set ${assignments} where you start the service. Without these variables, the service may take 30 seconds to notice that a database server has a new address.`;
  return warn("runtime", message, advice);
}

/** True if the URL's host is a name that DNS must resolve, and not an IP address or localhost. */
function hasName(url: string): boolean {
  const { hostname } = new URL(url);
  return isIP(unbracketHost(hostname)) === 0 && !isLoopbackHost(hostname);
}
