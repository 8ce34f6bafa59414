import type { Pet } from "../../../pets/contract.ts";
import type { ActivityLine } from "../../activity-contract.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { changeWords } from "../events/change-words.ts";
import { call, type Versioned } from "../request.ts";
import { looksSold, saleName } from "./sales.ts";

interface PutBackProps {
  readonly line: ActivityLine;
  readonly pet: Versioned<Pet>;
}

/**
 * A button that restores the values that an animal had before a change. There is no button if the animal already has these
 * values.
 */
export function PutBack({ line, pet }: PutBackProps) {
  const body = earlierValues(line, pet);
  if (Object.keys(body).length === 0 || looksSold(pet)) return null;
  async function putBack() {
    await call("PATCH", `/pets/${pet.id}`, { body, ifMatch: pet.etag });
    announce(`Change of ${saleName({ ...pet, name: String(body["name"] ?? pet.name) })} undone`);
  }
  return (
    <ActionButton
      class="link"
      label={`Undo this change: ${changeWords(line)}`}
      failure="Nothing was changed."
      action={putBack}
    >
      Undo
    </ActionButton>
  );
}

/**
 * Returns the values that an animal had before a change, if they differ from its current values. Null means that the animal had
 * no value.
 */
function earlierValues({ type, previous = {} }: ActivityLine, pet: Pet): Readonly<Record<string, unknown>> {
  const now = new Map<string, unknown>(Object.entries(pet));
  if (type === "order.completed") return pet.status === "sold" ? { status: "available" } : {};
  if (type !== "pet.updated") return {};
  return Object.fromEntries(
    Object.entries(previous).filter(([member, value]) => value !== (now.get(member) ?? null)),
  );
}
