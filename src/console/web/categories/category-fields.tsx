import type { NewCategory } from "../../../categories/contract.ts";
import { TextField } from "../components/field.tsx";
import type { FormState, Problems, Values } from "../components/form-state.ts";

export type CategoryField = keyof NewCategory;

/** The body for the API; an empty description is none. */
export function categoryFrom(values: Values<CategoryField>): Readonly<Record<CategoryField, unknown>> {
  const { name, description } = values;
  return { name, description: description === "" ? undefined : description };
}

export function checkCategory({ name }: Values<CategoryField>): Problems {
  return name === "" ? { name: "is required" } : {};
}

export function CategoryFields({ form }: { readonly form: FormState<CategoryField> }) {
  return (
    <>
      <TextField form={form} name="name" label="Name" />
      <TextField
        form={form}
        name="description"
        label="Description"
        hint="Left empty, the category has none."
        isOptional
      />
    </>
  );
}
