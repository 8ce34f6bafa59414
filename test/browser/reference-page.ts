import type { Browser, Locator, Page } from "playwright-core";
import type { Server } from "../wire/server.ts";
import { expectClean, openPage, type PageOptions, type WatchedPage } from "./browser.ts";

type ServiceName = "production" | "staging" | "messages";

export function docsOf(server: Server, service: ServiceName): string {
  return `${new URL(server[service]).origin}/docs`;
}

/** Opens the reference, runs the steps, and expects no error, policy violation or foreign request. */
export async function withReferencePage(
  browser: Browser,
  server: Server,
  service: ServiceName,
  options: PageOptions & { readonly hash?: string },
  steps: (page: Page, watched: WatchedPage) => Promise<void>,
): Promise<void> {
  const watched = await openPage(browser, options);
  await watched.page.goto(docsOf(server, service) + (options.hash ?? ""));
  await watched.page.locator(".opblock").first().waitFor();
  // The page's own errors explain a step that failed: they come first.
  await steps(watched.page, watched).finally(() => expectClean(watched));
  await watched.close();
}

export function operation(page: Page, tag: string, id: string): Locator {
  return page.locator(`#operations-${tag}-${id}`);
}

/** Unfolds an operation and its form. */
export async function tryOut(page: Page, tag: string, id: string): Promise<Locator> {
  const block = operation(page, tag, id);
  await block.getByRole("button").first().click();
  await block.getByRole("button", { name: "Try it out" }).click();
  return block;
}

/** Sends the form; resolves with the request and the response as it is shown. */
export async function execute(page: Page, block: Locator) {
  const sent = page.waitForRequest((request) => request.resourceType() === "fetch");
  await block.getByRole("button", { name: "Execute" }).click();
  const request = await sent;
  await request.response();
  const live = block.getByRole("group", { name: "Response", exact: true });
  await live.locator(".status").waitFor();
  return { request, live };
}

export function bodyOf(live: Locator): Promise<string> {
  return live.getByRole("group", { name: "Body" }).innerText();
}
