import { Argument } from "commander";
import type { Command } from "../command.ts";
import { openBrowser } from "../terminal/open-browser.ts";
import { print, printStatus } from "../terminal/output.ts";
import { addRemoteOptions, addressesOf, type RemoteOptions } from "./connection.ts";
import { readCredentials } from "./credentials.ts";

/** Paths of the pages that `petstore open` opens, relative to a store's base address without `/v1`. */
const PAGES = { console: "/", docs: "/docs" } as const;

export function addCommands(program: Command): void {
  const command = program
    .command("open")
    .description(
      "open the console in the browser; prints the address instead if there is no browser, or if the output goes to a file or another program",
    )
    .addArgument(
      new Argument("[page]", "page to open: console, or docs (the API reference)")
        .choices(Object.keys(PAGES))
        .default("console"),
    )
    .addExamples("petstore open", "petstore open docs --environment staging");
  addRemoteOptions(command).action((page: keyof typeof PAGES, options: RemoteOptions) => {
    const { url } = addressesOf(options, readCredentials()[options.environment]);
    showPage(`${url.replace(/\/v1$/, "")}${PAGES[page]}`);
  });
}

function showPage(address: string) {
  if (process.stdout.isTTY && openBrowser(address)) printStatus(`Opening ${address} in the browser.`);
  else print(address);
}
