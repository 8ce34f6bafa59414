import { mayChange } from "../account/session.ts";

/** Offered to those who may add animals. */
export function ImportLink() {
  if (!mayChange.value) return null;
  return (
    <a href="/animals/import" class="button secondary">
      Import
    </a>
  );
}
