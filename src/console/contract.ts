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

// Operations of the console only: no OpenAPI document lists them.

const PATH_LENGTH_MAX = 64; // longest path of a line: the longest there is has 42 characters
const OVERVIEW_DAYS_MAX = 32; // most days that the overview's chart may ask for

/** Starts of days, computed by the browser: only it knows the person's time zone. */
const daysParameter: Parameter<readonly number[], readonly number[]> = {
  description: "When each day begins in the person's time zone, the last of them today.",
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
  /** Webhooks that are disabled, or enabled and failing. */
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
  /** Number of calls of a deprecated operation with keys that the person may not see. */
  readonly otherCalls: number;
}

export interface DeveloperNotices extends ProgramNotices {
  readonly deprecated: readonly DeprecatedOperation[];
}

/** An animal's last change, or the placing of its last order; absent if that event has been deleted. */
export interface LastChange extends Pick<LoggedEvent, "createdAt" | "actor"> {
  readonly petId: Int64;
  /** Identifier of the animal or of the order. */
  readonly id: Int64;
}

/** An animal's open order. */
export interface OpenOrder {
  readonly petId: Int64;
  readonly orderId: Int64;
}

export type PetCounts = readonly { readonly status: PetStatus | null; readonly count: number }[];

/** A category number that animals use, with the number of its animals. */
interface UsedCategory {
  readonly id: Int64;
  readonly count: number;
  /** False if there is no category with this number. */
  readonly isNamed: boolean;
}

export interface UsedCategories {
  readonly used: readonly UsedCategory[];
  /** True if animals use higher numbers, which are not in the list. */
  readonly hasMore: boolean;
}

export interface DayCounts {
  /** Start of the counted day, in milliseconds since 1970. */
  readonly from: number;
  readonly sold: number;
  readonly added: number;
}

/** Problems that the overview lists for the person; `orders` and `pets` are sorted oldest first. */
export interface Attention extends ProgramNotices {
  /** A few open orders that were placed days ago, or whose ship date has passed. */
  readonly orders: readonly (Order & { readonly isLate: boolean; readonly petName: string })[];
  /** A few animals that have been pending for days without an order, each with its entity tag. */
  readonly pets: readonly (Pet & { readonly etag: string })[];
  /** Links to set the person's own password, which others made in the last days. */
  readonly resetLinks: readonly Pick<AuditEntry, "at" | "actor">[];
  /** Mails that could not be sent and are not tried again, of the latest ones; for owners. */
  readonly failedMails: number;
  /** Databases that the last full check found damaged; for owners. */
  readonly damaged: readonly string[];
}

/** An available animal. */
export interface StockedPet extends Pick<Pet, "id" | "name" | "categoryId"> {
  /** When it was added, in RFC 3339; null if that event is no longer kept. */
  readonly addedAt: string | null;
}

export interface Overview {
  readonly pets: PetCounts;
  /** Available animals by category, most first; categories without any are left out. */
  readonly available: readonly { readonly id: Int64; readonly count: number }[];
  /** The available animals with the lowest numbers. */
  readonly longest: readonly StockedPet[];
  readonly openOrders: number;
  /** Animals sold and added on each requested day; days that ended before the oldest event are left out. */
  readonly days: readonly DayCounts[];
  readonly attention: Attention;
}

/** The response to a line, as if it had been sent alone; the body is JSON. */
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

/** A change of an animal or an order, as it would be sent alone. */
const petLine = z.object({
  method: z.enum(["POST", "PATCH", "DELETE"]),
  /** Below the base address, such as `/pets/7`. */
  path: z.string().max(PATH_LENGTH_MAX),
  idempotencyKey: headerText.optional(),
  ifMatch: headerText.optional(),
  /** Checked for each line: a wrong one does not refuse the others. */
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
        description: "`order` for the placing of each animal's last order. `pet` if left out.",
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
    success: { status: 200, schema: z.custom<PetCounts>() },
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
