import { Option } from "commander";
import type { PetFilter } from "../../../client/src/client.ts";
import { PET_STATUSES, type PetStatus } from "../../pets/contract.ts";

export interface StatusFlags {
  readonly status?: PetStatus | "none";
  readonly hasStatus?: true;
}

/** `--status`, for commands that list animals. `none` is the word with which `update` removes a status. */
export function statusOption(): Option {
  return new Option("--status <status>", "only animals with this status; none: without one").choices([
    ...PET_STATUSES,
    "none",
  ]);
}

export function hasStatusOption(): Option {
  return new Option("--has-status", "only animals that have a status").conflicts("status");
}

export function statusFilterOf({ status, hasStatus }: StatusFlags): Pick<PetFilter, "status" | "hasStatus"> {
  return status === "none" ? { hasStatus: false } : { status, hasStatus };
}
