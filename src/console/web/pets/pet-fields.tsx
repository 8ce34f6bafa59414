import { parseInt64 } from "exact-json/int64";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { NAME_LENGTH_MAX } from "../../../contract/text-length.ts";
import type { NewPet } from "../../../pets/contract.ts";
import { CategoryCombobox } from "../categories/category-combobox.tsx";
import { ChoiceField, TextField } from "../components/field.tsx";
import { checkText, type FormState, type Problems, type Values } from "../components/form-state.ts";
import { SETTABLE, STATUS_CHOICES } from "./pet-status.tsx";

/**
 * The form fields, one for each member of `NewPet`. If a member is added to `NewPet`, the program does not compile until this file
 * has a field for it.
 */
export type PetField = keyof NewPet;

/**
 * The name under which the browser stores the category and the status of the last added animal, because the next animal often has
 * the same ones.
 */
export const LAST_PET = "last-pet";

/**
 * Converts the values of an animal's form to a request body. Empty optional fields become undefined. The API validates the body.
 */
export function petFrom({ name, categoryId, status, externalId }: Values<PetField>): Required<NewPet> {
  return {
    name,
    categoryId: parseInt64(categoryId),
    status: status || undefined,
    externalId: externalId || undefined,
  } as Required<NewPet>;
}

/**
 * Returns a problem for each field of an animal's form that is required but empty, or is too long. The server validates
 * everything else.
 */
export function checkPet({ name, categoryId, externalId }: Values<PetField>): Problems {
  return {
    ...checkText("name", name, NAME_LENGTH_MAX),
    ...checkText("externalId", externalId, NAME_LENGTH_MAX),
    ...(name === "" && { name: "is required" }),
    ...(parseInt64(categoryId) === undefined && { categoryId: "is required" }),
  };
}

interface PetFieldsProps {
  readonly form: FormState<PetField>;
  readonly nameHint?: string;
}

const FIELDS: Readonly<Record<PetField, (props: PetFieldsProps) => JSX.Element>> = {
  name: NameField,
  categoryId: CategoryField,
  status: StatusField,
  externalId: OwnNumberField,
};

export function PetFields(props: PetFieldsProps) {
  return Object.entries(FIELDS).map(([name, Field]) => <Field key={name} {...props} />);
}

function NameField({ form, nameHint: hint }: PetFieldsProps) {
  return <TextField form={form} name="name" label="Name" hint={hint} />;
}

function CategoryField({ form }: PetFieldsProps) {
  const problem = form.problems["categoryId"];
  return (
    <CategoryCombobox
      id={`${form.id}-categoryId`}
      value={form.values.categoryId}
      onSelect={(value) => form.set("categoryId", value)}
      problem={problem && `Category ${problem}`}
    />
  );
}

function OwnNumberField({ form }: PetFieldsProps) {
  return (
    <TextField
      form={form}
      name="externalId"
      label="Own number"
      hint="An article, microchip or ring number. Scan the number in Find to see the animal."
      isOptional
    />
  );
}

function StatusField({ form }: PetFieldsProps) {
  const wasSold = useRef(false);
  wasSold.current ||= form.values.status === "sold";
  const choices = [{ value: "", label: "No status" }, ...(wasSold.current ? STATUS_CHOICES : SETTABLE)];
  return <ChoiceField form={form} name="status" label="Status" isOptional choices={choices} />;
}
