import { Argument, type Command } from "commander";
import type { SettingName } from "../../config.ts";
import { SERVICE_NAMES, type ServiceName } from "../../context.ts";
import { bindAddressesFor } from "../../server/listener.ts";
import { askService } from "../doctor/ask-service.ts";
import { addExamples } from "../examples.ts";
import { print } from "../terminal/output.ts";
import { addSettings, configOf } from "./settings.ts";

/** What decides where a service listens. */
const PLACE_SETTINGS = [
  "host",
  "productionPort",
  "stagingPort",
  "messagesPort",
] as const satisfies readonly SettingName[];

/** `petstore healthcheck`: for an image that has no shell and no curl to ask `/readyz` with. */
export function addHealthcheckCommand(program: Command): void {
  const command = program
    .command("healthcheck")
    .description("ask the service that runs here with these settings whether it is ready; exit code 1 if not")
    .addArgument(new Argument("[service]", "only this one").choices(SERVICE_NAMES));
  addExamples(command, "petstore healthcheck", "petstore healthcheck staging");
  addSettings(command, PLACE_SETTINGS);
  command.action(async (service: ServiceName | undefined, options: Record<string, unknown>) => {
    const places = bindAddressesFor(configOf(options), service === undefined ? SERVICE_NAMES : [service]);
    const states = await Promise.all(places.map(askService));
    for (const [index, { name }] of places.entries()) print(`${name}: ${states[index] ?? "no answer"}`);
    if (states.some((state) => state !== "ready")) process.exitCode = 1;
  });
}
