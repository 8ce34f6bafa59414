import type { Category } from "../../../categories/contract.ts";
import { Dialog } from "../components/dialog.tsx";
import { EditForm } from "../components/edit-form.tsx";
import { shortName } from "../components/long-text.tsx";
import { useEdit } from "../components/use-edit.ts";
import type { Versioned } from "../request.ts";
import { type CategoryField, CategoryFields, categoryFrom, checkCategory } from "./category-fields.tsx";
import { CATEGORY_KIND } from "./category-kind.tsx";

interface EditCategoryProps {
  readonly category: Versioned<Category>;
  readonly reload: () => Promise<void>;
  readonly onClose: () => void;
}

export function EditCategory({ category, reload, onClose }: EditCategoryProps) {
  const edit = useEdit<CategoryField, Category>({
    kind: CATEGORY_KIND,
    opened: category,
    valuesOf: ({ name, description = "" }) => ({ name, description }),
    bodyOf: categoryFrom,
    check: checkCategory,
    reload,
    onSaved: onClose,
  });
  function cancel(): void {
    edit.takeCurrent();
    onClose();
  }
  return (
    <Dialog title={`Edit ${shortName(category.name, `category ${category.id}`)}`} onClose={cancel}>
      <EditForm
        edit={edit}
        actions={
          <button type="button" class="secondary" onClick={cancel}>
            Cancel
          </button>
        }
      >
        <CategoryFields form={edit.form} />
      </EditForm>
    </Dialog>
  );
}
