import type { Person } from "../../../accounts/contract.ts";

export const ROLE_WORDS: Readonly<Record<Person["role"], string>> = {
  viewer: "Viewer",
  staff: "Staff",
  owner: "Owner",
};

export const ROLE_CHOICES = [
  { value: "viewer", label: "Viewer: sees the store" },
  { value: "staff", label: "Staff: also changes it" },
  { value: "owner", label: "Owner: also decides who else may" },
] as const;
