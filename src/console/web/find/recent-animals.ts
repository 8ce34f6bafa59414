import { account } from "../account/session.ts";
import { browserStorage } from "../storage.ts";
import { recentKey } from "./recent-key.ts";

const RECENT_MAX = 5;

/** Returns the numbers of the animals that the person opened last in this browser, newest first. */
export function recentAnimals(): readonly string[] {
  return JSON.parse(browserStorage.getItem(recentKey(account.value?.email)) ?? "[]");
}

export function noteOpened(id: string): void {
  const ids = [id, ...recentAnimals().filter((other) => other !== id)].slice(0, RECENT_MAX);
  browserStorage.setItem(recentKey(account.value?.email), JSON.stringify(ids));
}
