import { type Client, createClient, type List } from "../../../client/src/client.ts";
import { PAGE_SIZE_MAX } from "../../limits.ts";
import type { Identified } from "../identifies.ts";
import { connectionFor, type RemoteOptions } from "../remote/connection.ts";
import type { Candidate, Position } from "./candidates.ts";

type KindInService = Exclude<Identified, "key" | "account">;

const PAGE = { limit: PAGE_SIZE_MAX };

type Search = (client: Client, typed: string, operand: string) => Promise<readonly Candidate[]>;

const SEARCHES: Readonly<Record<KindInService, Search>> = {
  animal: ({ pets }) => newest(pets.list(PAGE), ({ id, name }) => [`${id}`, name]),
  "name of an animal": ({ pets }, typed) =>
    newest(pets.list({ ...PAGE, name: typed.trim() || undefined }), ({ name }) => [name]),
  order: ({ orders }) =>
    newest(orders.list(PAGE), ({ id, petId, complete }) => [
      `${id}`,
      `animal ${petId}, ${complete ? "complete" : "open"}`,
    ]),
  category: ({ categories }) => newest(categories.list(PAGE), ({ id, name }) => [`${id}`, name]),
  webhook: ({ webhooks }) => newest(webhooks.list(PAGE), ({ id, url }) => [`${id}`, url]),
  delivery: ({ webhooks }, _typed, webhookId) =>
    newest(webhooks.deliveries(BigInt(webhookId), PAGE), ({ id, type, status }) => [
      `${id}`,
      `${type}, ${status}`,
    ]),
};

/**
 * Finds completion candidates in the service that the environment variables or the stored login name. With `--url` it finds
 * none.
 */
export async function searchService(
  kind: KindInService,
  typed: string,
  { command, operands: [operand = ""] }: Position,
): Promise<readonly Candidate[]> {
  const options = command.opts<RemoteOptions>();
  // Only the command itself, once it is run, may send a key to an address on the command line.
  if (options.url !== undefined) return [];
  const { key, url, messagesUrl } = connectionFor(options);
  const client = createClient({ key, baseUrl: url, messagesUrl, retries: 0 });
  return SEARCHES[kind](client, typed, operand);
}

async function newest<Item>(
  list: List<Item>,
  toCandidate: (item: Item) => Candidate,
): Promise<readonly Candidate[]> {
  return (await list.toArray(PAGE)).map(toCandidate);
}
