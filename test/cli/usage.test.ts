import { expect, test } from "bun:test";
import { refusalOf } from "./commands.ts";

// Wrong usage is refused in one line, with the mistake and the help to read.

const KEYS = ["keys", "create", "--environment"];
const INT64 = "It must be a 64-bit integer.";
const cannot = (one: string, other: string) => `option '${one}' cannot be used with option '${other}'`;

test.each([
  [["pets", "list", "--limit", "0"], "It must be an integer above 0."],
  [["pets", "list", "--id", "1,x"], INT64],
  [["pets", "list", "--status", "asleep"], "Allowed choices are available, pending, sold."],
  [["pets", "add", "Fluffy"], "required option '--category <id>' not specified"],
  [["pets", "add", "Fluffy", "--category", "9223372036854775808"], INT64],
  [["pets", "remove", "one"], INT64],
  [["pets", "list", "--url", "https://pets.example"], "It must be an http or https URL that ends in /v1."],
  [["pets", "list", "--key", "pet_live_x"], "unknown option '--key'"],
  [["completion", "tcsh"], "Allowed choices are bash, zsh, fish."],
  [
    ["keys", "create"],
    "required option '--environment <environment>' not specified. See petstore keys create --help.",
  ],
  [[...KEYS, "prod"], "Allowed choices are production, staging."],
  [[...KEYS, "staging", "--expires", "2027-02-31"], "It must be a time such as"],
  [["keys", "revok"], "unknown command 'revok' (Did you mean revoke?) See petstore keys --help."],
  [["serve", "--prot", "1"], "unknown option '--prot'"],
  [["serve", "everything"], "Allowed choices are production, staging, messages."],
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
  expect(refusal).toMatch(/^petstore: .+ See petstore .+--help\.\n$/);
});
