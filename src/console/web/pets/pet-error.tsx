import type { ComponentChildren } from "preact";
import type { NewPet, Pet } from "../../../pets/contract.ts";
import { ChangedMeanwhile } from "../components/changed-meanwhile.tsx";
import { callPage, type Versioned } from "../request.ts";
import type { RequestError } from "../request-error.ts";
import type { Conflict } from "../use-version.ts";
import { statusWord } from "./pet-status.tsx";

export async function readPet({ id }: Pet): Promise<Versioned<Pet> | undefined> {
  return (await callPage<Versioned<Pet>>("/pets", { query: { id: String(id) } })).items[0];
}

interface PetErrorProps {
  readonly pet: Pet;
  readonly error: RequestError;
  readonly conflict: Conflict<Pet> | undefined;
  /** What the person can do about a change by somebody else. */
  readonly children: ComponentChildren;
}

/** Why an animal was not changed or removed. */
export function PetError({ pet, error, conflict, children }: PetErrorProps) {
  if (error.code === "precondition_failed") {
    return (
      <ChangedMeanwhile what="animal" conflict={conflict} describe={describePet}>
        {children}
      </ChangedMeanwhile>
    );
  }
  return (
    <>
      <p>{error.message}</p>
      {error.code === "pet_has_open_order" && (
        <p>
          <a href={`/orders?for=${pet.id}`}>Show this animal's orders</a>
        </p>
      )}
    </>
  );
}

function describePet({ name, categoryId, status }: Pet): Readonly<Record<string, string>> {
  const members: Readonly<Record<keyof NewPet, readonly [label: string, text: string]>> = {
    name: ["Name", name],
    categoryId: ["Category", String(categoryId)],
    status: ["Status", statusWord(status)],
  };
  return Object.fromEntries(Object.values(members));
}
