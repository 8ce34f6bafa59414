import { expect, test } from "bun:test";
import { refusalOf } from "./commands.ts";

// If a command is used wrongly, petstore refuses it in one line that names the mistake and the help to read.

const KEYS = ["keys", "create", "--environment"];
const INT64 = "Use a 64-bit integer.";
const MISSING_ENVIRONMENT =
  "petstore: --environment <name> is missing. See petstore keys create --help. Example: export PETSTORE_KEY=$(petstore keys create --environment production)\n";
const cannot = (one: string, other: string) => `option '${one}' cannot be used with option '${other}'`;

test.each([
  [["pets", "list", "--limit", "0"], "--limit cannot be '0'. Use an integer above 0."],
  [["pets", "list", "--id", "1,x"], INT64],
  [["pets", "list", "--status", "asleep"], "Allowed choices are available, pending, sold, none."],
  [
    ["pets", "add", "Fluffy"],
    "--category <id> is missing. See petstore pets add --help. Example: petstore pets add Fluffy --category 1 --status available\n",
  ],
  [["pets", "add", "Fluffy", "--category", "9223372036854775808"], INT64],
  [
    ["pets", "add", "Fluffy", "II", "--category", "1"],
    "Expected 1 argument but got 2: put text with spaces in quotes.",
  ],
  [["pets", "remove", "one"], `<id> cannot be 'one'. ${INT64}`],
  [["pets", "show"], "<id> is missing. See petstore pets show --help. Example: petstore pets show 1\n"],
  [["pets", "list", "--category"], "--category <id> has no value."],
  [["pets", "list", "--category", "1", "--category", "2"], "--category is given twice."],
  [["pets", "list", "--category=1", "--category", "1"], "--category is given twice."],
  [["pets", "list", "-o", "csv", "--output", "json"], "--output is given twice."],
  [["pets", "list", "--id", "1", "--id", "2"], "--id is given twice."],
  [["serve", "--log", "info", "--log", "debug"], "--log is given twice."],
  [
    ["pets", "list", "--url", "https://pets.example"],
    "The address must be an http or https URL that ends in /v1.",
  ],
  [["pets", "list", "--key", "pet_live_x"], "unknown option '--key'"],
  [["completion", "tcsh"], "Allowed choices are bash, zsh, fish."],
  [["keys", "create"], MISSING_ENVIRONMENT],
  [[...KEYS, "prod"], "Allowed choices are production, staging."],
  [[...KEYS, "staging", "--expires", "2027-02-31"], "Use a time such as"],
  [["keys", "revok"], "unknown command 'revok' (Did you mean revoke?) See petstore keys --help."],
  [["serve", "--prot", "1"], "unknown option '--prot'"],
  [
    ["serve", "everything"],
    "<service> cannot be 'everything'. Allowed choices are production, staging, messages.",
  ],
  [["pets", "list", "--all", "--limit", "5"], cannot("--all", "--limit <count>")],
  [["pets", "list", "--json", "-o", "csv"], cannot("--json", "-o, --output <format>")],
  [["pets", "list", "-q", "--json"], cannot("-q, --quiet", "--json")],
  [["pets", "get", "1", "-q", "-o", "json"], cannot("-q, --quiet", "-o, --output <format>")],
  [["orders", "list", "--open", "--complete"], cannot("--open", "--complete")],
  [["events", "--follow", "--all"], cannot("--follow", "--all")],
  [["categories", "update", "1", "--description", "x", "--no-description"], "'--no-description'"],
  [["categories", "update", "1", "--no-description", "--description", "x"], "'--no-description'"],
] as const)("%p", async (words, says) => {
  const refusal = await refusalOf(words);
  expect(refusal).toContain(says);
  expect(refusal).not.toMatch(/command-argument|is invalid/);
  expect(refusal).toMatch(/^petstore: .+ See petstore .+--help\.( Example: .+)?\n$/);
});
