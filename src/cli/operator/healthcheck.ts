import { Argument } from "commander";
import { SERVICE_NAMES, type ServiceName } from "../../context.ts";
import { bindAddressesFor } from "../../server/listener.ts";
import type { Command } from "../command.ts";
import { readReadiness } from "../doctor/readiness.ts";
import { print } from "../terminal/output.ts";
import { addSettings, configOf } from "./settings.ts";

/** Adds `petstore healthcheck`, which checks readiness for container images that contain neither a shell nor curl. */
export function addCommands(program: Command): void {
  const command = program
    .command("healthcheck")
    .description("check whether the service on this machine is ready; the exit code is 1 if it is not")
    .addArgument(
      new Argument(
        "[service]",
        "service to check (default: production, or the only service that runs on this machine)",
      ).choices(SERVICE_NAMES),
    )
    .addExamples("petstore healthcheck", "petstore healthcheck staging");
  addSettings(command, ["host", "productionPort", "stagingPort", "messagesPort"]);
  command.action(async (service: ServiceName | undefined, options: object) => {
    const names = service === undefined ? SERVICE_NAMES : [service];
    const addresses = bindAddressesFor(configOf(options, names), names);
    const states = await Promise.all(addresses.map(readReadiness));
    for (const [index, { name }] of addresses.entries()) print(`${name}: ${states[index] ?? "no answer"}`);
    // If this container serves production, only production's readiness matters. The container must not be stopped only because
    // staging's database is closed.
    const others = states.includes("not ready") ? "not ready" : states.find((state) => state !== undefined);
    if ((states[0] ?? others) !== "ready") process.exitCode = 1;
  });
}
