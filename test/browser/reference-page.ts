import type { Browser, Locator, Page } from "playwright-core";
import type { Server } from "../wire/server.ts";
import { expectClean, openPage, type PageOptions, type WatchedPage } from "./browser.ts";

type ServiceName = "production" | "staging" | "messages";

export function docsOf(server: Server, service: ServiceName): string {
  return `${new URL(server[service]).origin}/docs`;
}

/**
 * Opens the API reference, runs the steps, and asserts that there were no errors, no policy violations and no requests to other
 * servers.
 */
export async function withReferencePage(
  browser: Browser,
  server: Server,
  service: ServiceName,
  options: PageOptions & { readonly hash?: string },
  steps: (page: Page, watched: WatchedPage) => Promise<void>,
): Promise<void> {
  const watched = await openPage(browser, options);
  await watched.page.goto(docsOf(server, service) + (options.hash ?? ""));
  // Checks the page for errors even if a step has failed, because they explain the failure.
  await steps(watched.page, watched).finally(() => expectClean(watched));
  await watched.close();
}

/** Returns the section of the API reference about an operation or a kind of webhook. */
export function operation(page: Page, id: string): Locator {
  return page.locator(`article[aria-labelledby="${id}"]`);
}

/** Submits an operation's form in the API reference. Resolves to the request and to the response that the page shows. */
export async function execute(page: Page, block: Locator) {
  const sent = page.waitForRequest((request) => request.resourceType() === "fetch");
  await block.getByRole("button", { name: "Send" }).click();
  const request = await sent;
  // The page still shows the previous response until the new one arrives.
  const status = block.locator(".send .status").filter({ hasText: / after \d+ ms$/ });
  await status.waitFor();
  return { request, status: (await status.innerText()).replace(/ after \d+ ms$/, "") };
}

export function bodyOf(block: Locator): Promise<string> {
  return block.getByRole("group", { name: "Answer's body" }).innerText();
}

/** Returns an operation's code sample in a language. The sample may be hidden. */
export function sampleOf(block: Locator, language: string): Locator {
  return block.locator(`pre[data-language="${language}"]`);
}
