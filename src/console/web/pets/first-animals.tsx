import { mayChange, session } from "../account/session.ts";
import { Empty } from "../components/empty.tsx";
import { enterStaging, REHEARSAL } from "../environment.ts";

/** Shows three ways to add the first animals. Shown while the store is empty. */
export function FirstAnimals() {
  const staging = session.value?.consoles.staging;
  return (
    <Empty title="No animals yet.">
      <p>
        {mayChange.value
          ? "Add your first animal, or import a list."
          : "Animals that staff add are listed here."}
      </p>
      {mayChange.value && (
        <div class="actions">
          <a href="/animals/new" class="button">
            Add an animal
          </a>
          <a href="/animals/import" class="button secondary">
            Import a list
          </a>
          {staging && (
            <a href={staging + REHEARSAL} class="button secondary" onClick={enterStaging}>
              Try a sample shop in staging
            </a>
          )}
        </div>
      )}
    </Empty>
  );
}
