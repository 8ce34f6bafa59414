import type { NewCategory } from "../../../categories/contract.ts";
import { TextField } from "../components/field.tsx";
import type { FormState, Problems, Values } from "../components/form-state.ts";

/** Fields that an added and an edited category share. */
export type CategoryField = Exclude<keyof NewCategory, "id">;

/** Request body with a form's category; an empty description is omitted. */
export function categoryFrom(values: Values<CategoryField>): Readonly<Record<CategoryField, unknown>> {
  const { name, description } = values;
  return { name, description: description === "" ? undefined : description };
}

/** Problems of a category's fields. */
export function checkCategory({ name }: Values<CategoryField>): Problems {
  return name === "" ? { name: "is required" } : {};
}

/** Fields for the name and description of a category. */
export function CategoryFields<Name extends string>({
  form,
}: {
  readonly form: FormState<Name | CategoryField>;
}) {
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
