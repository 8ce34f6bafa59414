import type { PetStatus } from "../../../pets/contract.ts";

const WORDS: Readonly<Record<PetStatus, string>> = {
  available: "Available",
  pending: "Pending",
  sold: "Sold",
};

const STATUSES = Object.keys(WORDS) as readonly PetStatus[];

export const STATUS_CHOICES = STATUSES.map((value) => ({ value, label: WORDS[value] }));

/** The statuses that a person can set. Sold is left out, because only a sale makes an animal sold. */
export const SETTABLE = STATUS_CHOICES.filter(({ value }) => value !== "sold");

/** The value of the query parameter `status` that makes the list show animals without a status. */
export const WITHOUT_STATUS = "none";

export function statusWord(status: PetStatus | null | undefined): string {
  return status ? WORDS[status] : "No status";
}

export function StatusBadge({ status }: { readonly status: PetStatus | undefined }) {
  return (
    <span class={`badge ${status ?? "none"}`} translate={false}>
      {statusWord(status)}
    </span>
  );
}
