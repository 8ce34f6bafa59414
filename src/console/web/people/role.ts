import type { Person } from "../../../accounts/contract.ts";

export const ROLE_WORDS: Readonly<Record<Person["role"], string>> = {
  viewer: "Viewer",
  staff: "Staff",
  owner: "Owner",
};

export const ROLE_CHOICES = [
  { value: "viewer", label: "Viewer: can see the store" },
  { value: "staff", label: "Staff: can change the store" },
  { value: "owner", label: "Owner: can change the store and manage people" },
] as const;
