import { Option } from "commander";
import type { PetFilter } from "../../../client/src/client.ts";
import { PET_STATUSES, type PetStatus } from "../../pets/contract.ts";

export interface StatusFlags {
  readonly status?: PetStatus | "none";
  readonly hasStatus?: true;
}

/**
 * Creates the option `--status`, for commands that list animals. Its value `none` stands for "no status". In the command
 * `update`, `none` removes the status.
 */
export function statusOption(): Option {
  return new Option(
    "--status <status>",
    "include only animals with this status; none means animals without a status",
  ).choices([...PET_STATUSES, "none"]);
}

export function hasStatusOption(): Option {
  return new Option("--has-status", "include only animals that have a status").conflicts("status");
}

export function statusFilterOf({ status, hasStatus }: StatusFlags): Pick<PetFilter, "status" | "hasStatus"> {
  return status === "none" ? { hasStatus: false } : { status, hasStatus };
}
