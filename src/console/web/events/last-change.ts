import type { Pet } from "../../../pets/contract.ts";
import type { ActivityLine } from "../../activity-contract.ts";
import { shortName } from "../components/long-text.tsx";
import { ago } from "../components/timestamp.tsx";
import { callPage } from "../request.ts";
import { actorWords } from "./actor-words.ts";
import { changeWords, isolated } from "./change-words.ts";

const READ = "20"; // number of latest changes that are read to find the last change to an animal's status

/**
 * Returns a sentence about the last change to an animal's status, such as `Bello was sold by ada@example.com 2 seconds ago.`
 * Returns an empty string if no such change was found.
 */
export async function lastStatusChange({ id, name }: Pick<Pet, "id" | "name">): Promise<string> {
  const query = { petId: String(id), limit: READ };
  const { items } = await callPage<ActivityLine>("/activity", { query });
  const event = items.find(({ data, previous }) => "petId" in data || "status" in (previous ?? {}));
  if (event === undefined) return "";
  const verb = /^(sold|ordered)/.exec(changeWords(event).toLowerCase())?.[0] ?? "changed";
  return `${isolated(shortName(name, `Animal ${id}`))} was ${verb} by ${actorWords(event)} ${agoWords(event.createdAt)}.`;
}

/** Formats a time to the second. Lists show less exact times, because they update them less often. */
function agoWords(at: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1000));
  return seconds < 60 ? `${seconds} ${seconds === 1 ? "second" : "seconds"} ago` : ago(new Date(at));
}
