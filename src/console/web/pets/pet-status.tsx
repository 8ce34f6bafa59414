import type { PetStatus } from "../../../pets/contract.ts";
import type { Choice } from "../components/field.tsx";

const WORDS: Readonly<Record<PetStatus, string>> = {
  available: "Available",
  pending: "Pending",
  sold: "Sold",
};

export const STATUS_CHOICES: readonly Choice[] = Object.entries(WORDS).map(([value, label]) => ({
  value,
  label,
}));

export function statusWord(status: PetStatus | null | undefined): string {
  return status ? WORDS[status] : "No status";
}

export function StatusBadge({ status }: { readonly status: PetStatus | undefined }) {
  return <span class={`badge ${status ?? "none"}`}>{statusWord(status)}</span>;
}
