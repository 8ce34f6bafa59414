import { signal } from "@preact/signals";
import type { Pet } from "../../../pets/contract.ts";
import { announce } from "../components/announce.tsx";
import { formatNumber } from "../format.ts";
import { everyPage, type Query } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";

/** The export of this tab, which goes on when its button's menu is closed. */
const running = signal<{ readonly aborter: AbortController; readonly count: number } | undefined>(undefined);

/** Button that saves the animals that match a filter of `listPets` as a CSV file; during an export, cancels it. */
export function ExportButton({ filter }: { readonly filter: Query }) {
  const { aborter, count = 0 } = running.value ?? {};
  return (
    <button
      type="button"
      class="secondary"
      onClick={() => (aborter ? aborter.abort() : void saveAnimals(filter))}
    >
      {aborter ? `Cancel export (${formatNumber(count)})` : "Export CSV"}
    </button>
  );
}

async function saveAnimals(filter: Query) {
  const aborter = new AbortController();
  const pets: Pet[] = [];
  running.value = { aborter, count: 0 };
  announce("Exporting…");
  try {
    for await (const page of everyPage<Pet>("/pets", filter, aborter.signal)) {
      pets.push(...page);
      running.value = { aborter, count: pets.length };
    }
    const { savePets } = await import("./save-csv.ts");
    savePets(pets);
    announce("Exported");
  } catch (error) {
    announce(
      aborter.signal.aborted ? "Export cancelled" : `Nothing was exported. ${toPetstoreError(error).message}`,
    );
  }
  running.value = undefined;
}
