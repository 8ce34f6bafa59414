import type { Int64 } from "exact-json/int64";
import { z } from "zod";
import type { AuditEntry } from "../accounts/audit/contract.ts";
import { named, type Operations } from "../contract/operation.ts";
import { enumParameter, int64ListParameter, type Parameter } from "../contract/parameter.ts";
import type { LoggedEvent } from "../events/event.ts";
import type { KeyView } from "../keys/contract.ts";
import { ID_FILTER_MAX, IDEMPOTENCY_KEY_LENGTH_MAX } from "../limits.ts";
import type { Order } from "../orders/contract.ts";
import { PET_LINES_MAX } from "../pet-files/limits.ts";
import type { Pet, PetStatus } from "../pets/contract.ts";
import type { Webhook } from "../webhooks/contract.ts";

// Only the console uses these operations, so they are not in any OpenAPI document.

const PATH_LENGTH_MAX = 64; // maximum length, in characters, of the path in one line of a bulk request; the longest valid path has 42
const OVERVIEW_DAYS_MAX = 32;

/** The start time of each day. The browser computes these times, because only the browser knows the person's time zone. */
const daysParameter: Parameter<readonly number[], readonly number[]> = {
  description: "The start of each day in the user's time zone. The last value is the start of today.",
  expected: `1 to ${OVERVIEW_DAYS_MAX} ascending times, in milliseconds since 1970, separated by commas`,
  default: [],
  parse(text) {
    const digits = text.split(",", OVERVIEW_DAYS_MAX + 1);
    const starts = digits.map(Number);
    const isValid = (start: number, index: number) =>
      /^[0-9]{1,14}$/.test(digits[index] ?? "") && start > (starts[index - 1] ?? -1);
    return starts.length <= OVERVIEW_DAYS_MAX && starts.every(isValid) ? starts : undefined;
  },
  schema: z.array(z.int()).min(1).max(OVERVIEW_DAYS_MAX),
  isList: true,
};

export interface ProgramNotices {
  readonly failedMessages: number;
  /** Webhooks that are disabled, and enabled webhooks whose deliveries fail. */
  readonly webhooks: readonly Pick<Webhook, "id" | "url" | "status">[];
  readonly expiringKeys: readonly KeyView[];
}

interface DeprecatedOperation {
  readonly operation: string;
  /** Method and path of a deprecated operation, such as `GET /pets/{petId}`. */
  readonly path: string;
  readonly sunset: string;
  readonly callers: readonly {
    readonly keyId: string;
    readonly keyName: string;
    readonly calls: number;
    readonly lastCalledAt: string;
  }[];
  /** The number of calls of a deprecated operation with API keys that the signed-in person may not see. */
  readonly otherCalls: number;
}

export interface DeveloperNotices extends ProgramNotices {
  readonly deprecated: readonly DeprecatedOperation[];
}

/**
 * The latest event about an animal: a change to the animal itself, or to an order for it. An animal has no entry if this event
 * has been deleted from the log.
 */
export interface LastChange extends Pick<LoggedEvent, "createdAt" | "actor"> {
  readonly petId: Int64;
  /** The identifier of the changed animal, or of the order if the event is about an order. */
  readonly id: Int64;
}

export interface OpenOrder {
  readonly petId: Int64;
  readonly orderId: Int64;
}

/** A response with counts that the server may have cached. */
export interface Cached {
  /**
   * How long the server may return the same cached counts, in milliseconds. Absent in a small store, because its animals are
   * counted for each request.
   */
  readonly cachedForMs?: number | undefined;
}

export type PetCounts = readonly { readonly status: PetStatus | null; readonly count: number }[];

export interface CountedPets extends Cached {
  readonly counts: PetCounts;
}

/** A category number that is in use, with the number of animals that have it. */
interface UsedCategory {
  readonly id: Int64;
  readonly count: number;
  /** False if no category has this number. */
  readonly isNamed: boolean;
}

export interface UsedCategories extends Cached {
  readonly used: readonly UsedCategory[];
  /** True if the list is incomplete: some animals have category numbers that are higher than those in the list. */
  readonly hasMore: boolean;
}

export interface DayCounts {
  /** Start of the counted day, in milliseconds since 1970. */
  readonly from: number;
  readonly sold: number;
  readonly added: number;
}

/** Problems that the overview shows to this person. The lists `orders` and `pets` begin with the oldest item. */
export interface Attention extends ProgramNotices {
  /** A few open orders that were placed days ago, or whose ship date has passed. */
  readonly orders: readonly (Order & { readonly isLate: boolean; readonly petName: string })[];
  /** A few animals that have been pending for days without an order, each with its entity tag. */
  readonly pets: readonly (Pet & { readonly etag: string })[];
  /** Password-reset links for this person that somebody else created in the last few days. */
  readonly resetLinks: readonly Pick<AuditEntry, "at" | "actor">[];
  /** The number of recent emails that the store could not send and will not retry. It is 0 for a person who is not an owner. */
  readonly failedMails: number;
  /** The databases that were found damaged by the last full check. The list is empty for a person who is not an owner. */
  readonly damaged: readonly string[];
}

export interface StockedPet extends Pick<Pet, "id" | "name" | "categoryId"> {
  /** The time when the animal was added, in RFC 3339 format, or null if the event log no longer goes back that far. */
  readonly addedAt: string | null;
}

export interface Overview extends Cached {
  readonly pets: PetCounts;
  /** The categories that have available animals, each with the count of these animals. The highest count comes first. */
  readonly available: readonly { readonly id: Int64; readonly count: number }[];
  /** The available animals with the lowest identifiers, which have been in stock the longest. */
  readonly longest: readonly StockedPet[];
  readonly openOrders: number;
  /** The counts of animals sold and added on each requested day. Days that ended before the oldest stored event are left out. */
  readonly days: readonly DayCounts[];
  readonly attention: Attention;
}

/**
 * The response to one line of a bulk request. It is the same as the response to a separate request with this change. The body is
 * JSON.
 */
export interface PetLineAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Value of a header field: visible ASCII characters and spaces. */
const headerText = z
  .string()
  .max(2 * IDEMPOTENCY_KEY_LENGTH_MAX + 2)
  .regex(/^[\x20-\x7e]*$/);

/**
 * One change to an animal or an order, as a line of a bulk request. It contains everything that a separate HTTP request for the
 * change would contain.
 */
const petLine = z.object({
  method: z.enum(["POST", "PATCH", "DELETE"]),
  /** The path relative to the base address, such as `/pets/7`. */
  path: z.string().max(PATH_LENGTH_MAX),
  idempotencyKey: headerText.optional(),
  ifMatch: headerText.optional(),
  /** The server validates the body of each line separately, so that an invalid body does not affect the other lines. */
  body: z.unknown().optional(),
});

export const consoleOperations = named({
  getDeveloperNotices: {
    method: "GET",
    path: "/developers",
    success: { status: 200, schema: z.custom<DeveloperNotices>() },
  },
  listLastChanges: {
    method: "GET",
    path: "/last-changes",
    query: {
      of: enumParameter(["pet", "order"], {
        description:
          "`order` returns the event that placed each animal's last order; `pet` (the default) returns each animal's last change.",
        schema: z.enum(["pet", "order"]),
      }),
      id: int64ListParameter({
        description: "The animals' identifiers.",
        maximum: ID_FILTER_MAX,
        example: [1, 2],
      }),
    },
    success: { status: 200, schema: z.custom<readonly LastChange[]>() },
  },
  listOpenOrders: {
    method: "GET",
    path: "/open-orders",
    query: {
      id: int64ListParameter({
        description: "The animals' identifiers.",
        maximum: ID_FILTER_MAX,
        example: [1, 2],
      }),
    },
    success: { status: 200, schema: z.custom<readonly OpenOrder[]>() },
  },
  getOverview: {
    method: "GET",
    path: "/overview",
    query: { days: daysParameter },
    success: { status: 200, schema: z.custom<Overview>() },
  },
  countPets: {
    method: "GET",
    path: "/pet-counts",
    success: { status: 200, schema: z.custom<CountedPets>() },
  },
  listUsedCategories: {
    method: "GET",
    path: "/used-categories",
    success: { status: 200, schema: z.custom<UsedCategories>() },
  },
  sendPetLines: {
    method: "POST",
    path: "/pet-lines",
    body: { schema: z.object({ lines: z.array(petLine).min(1).max(PET_LINES_MAX) }) },
    success: { status: 200, schema: z.custom<readonly PetLineAnswer[]>() },
  },
} as const satisfies Operations);
