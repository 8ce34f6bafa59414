import { z } from "zod";
import { requireSession } from "../accounts/sessions/sessions.ts";
import type { Operation } from "../contract/operation.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { OVERVIEW_COUNT_MAX } from "../limits.ts";
import { PET_STATUSES, type PetStatus } from "../pets/contract.ts";
import { countPetsByStatus, countPetsWithoutStatus } from "../pets/store.ts";
import type { Query } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";

export interface Count {
  readonly count: number;
  /** Counting stopped here: there may be more. */
  readonly isAtLeast: boolean;
}

export type PetCounts = readonly (Count & { readonly status: PetStatus | null })[];

export const countPets = {
  id: "countPets",
  method: "GET",
  path: "/pet-counts",
  access: "read",
  success: { status: 200, schema: z.custom<PetCounts>() },
} as const satisfies Operation;

export const petCountsEndpoint: Endpoint = endpoint(countPets, (ctx) => {
  requireSession(ctx);
  return readPetCounts(ctx.query);
});

export async function readPetCounts(query: Query): Promise<PetCounts> {
  const counts: PetCounts[number][] = [];
  for (const status of PET_STATUSES) {
    const found = singleRow(await query(countPetsByStatus, [status, OVERVIEW_COUNT_MAX]));
    counts.push({ status, ...countOf(found) });
  }
  const others = singleRow(await query(countPetsWithoutStatus, [OVERVIEW_COUNT_MAX]));
  return [...counts, { status: null, ...countOf(others) }];
}

/** Counting ends at `OVERVIEW_COUNT_MAX`, so that a large store costs no more than a small one. */
export function countOf(found: number): Count {
  return { count: found, isAtLeast: found === OVERVIEW_COUNT_MAX };
}
