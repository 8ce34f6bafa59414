import { Argument, Option } from "commander";
import { normalizeEmail } from "../../accounts/email.ts";
import { identifies } from "../identifies.ts";

export function accountArgument(): Argument {
  const argument = new Argument("<email>", "email address of the account");
  return identifies(argument.argParser(normalizeEmail), "account");
}

export function accountOption(description: string): Option {
  return identifies(new Option("--account <email>", description).argParser(normalizeEmail), "account");
}
