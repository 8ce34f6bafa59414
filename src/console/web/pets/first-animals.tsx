import { mayChange, session } from "../account/session.ts";
import { Empty } from "../components/empty.tsx";
import { REHEARSAL } from "../environment.ts";

/** An empty shop, with three ways into it. */
export function FirstAnimals() {
  const staging = session.value?.consoles.find(({ environment }) => environment === "staging");
  return (
    <Empty title="No animals yet.">
      <p>{mayChange.value ? "Begin with one, or with a list." : "Those that staff add are listed here."}</p>
      {mayChange.value && (
        <div class="actions">
          <a href="/animals/new" class="button">
            Add an animal
          </a>
          <a href="/animals/import" class="button secondary">
            Import a list
          </a>
          {staging && (
            <a href={new URL(REHEARSAL, staging.url).href} class="button secondary">
              Try a sample shop in staging
            </a>
          )}
        </div>
      )}
    </Empty>
  );
}
