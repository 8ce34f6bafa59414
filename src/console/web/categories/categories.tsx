import type { Category } from "../../../categories/contract.ts";
import { mayChange } from "../account/session.ts";
import { wideOnly, wordColumn } from "../components/columns.tsx";
import { openDialog } from "../components/dialog.tsx";
import { DialogMenu } from "../components/dialog-menu.tsx";
import { lazyDialog } from "../components/lazy-dialog.tsx";
import { ListScreen } from "../components/list-screen.tsx";
import { shortName } from "../components/long-text.tsx";
import { Menu } from "../components/menu.tsx";
import { ExportButton } from "../files/export-button.tsx";
import { animalCount } from "../pets/animal-count.ts";
import type { Versioned } from "../request.ts";
import { route } from "../router.ts";
import { CATEGORY_KIND } from "./category-kind.tsx";
import { type ListedCategory, useCategories } from "./use-categories.ts";

const RemoveDialog = lazyDialog(
  async () => (await import("../components/remove-dialog.tsx")).RemoveDialog<Category>,
);
const AddCategory = lazyDialog(async () => (await import("./category-form.tsx")).AddCategory);
const EditCategory = lazyDialog(async () => (await import("./edit-category.tsx")).EditCategory);

export function Categories() {
  const categories = useCategories();
  const number = route.value.query.get("name") ?? "";
  return (
    <ListScreen<ListedCategory>
      title="Categories"
      also={
        <Menu label="More" isInline>
          <ExportButton kind="categories" />
        </Menu>
      }
      create={
        mayChange.value && {
          label: "New category",
          dialog: <AddCategory number={number} />,
          parameter: "name",
        }
      }
      what="categories"
      loaded={categories}
      empty="No categories yet."
      hint="Each animal is in one category."
      columns={COLUMNS}
      actions={
        mayChange.value && {
          width: "6.5rem",
          cell: ({ id, category, animals }) =>
            category === undefined ? (
              <button
                type="button"
                class="secondary"
                onClick={() => openDialog(<AddCategory number={String(id)} />)}
              >
                Name it
              </button>
            ) : (
              <CategoryMenu category={category} animals={animals} />
            ),
        }
      }
    >
      {categories.hasMore && (
        <p>Animals are counted only for the 1,000 categories with the lowest numbers.</p>
      )}
    </ListScreen>
  );
}

const COLUMNS = {
  Name: {
    cell: ({ id, category }: ListedCategory) => (
      <a href={`/animals?category=${id}`} dir="auto">
        {shortName(category?.name ?? "", `Category ${id}`)}
      </a>
    ),
    width: "35%",
  },
  Animals: {
    ...wordColumn(({ animals }: ListedCategory) => animals !== undefined && animalCount(animals)),
    width: "7.5rem",
  },
  Number: wideOnly(({ id }: ListedCategory) => String(id)),
  Description: ({ category }: ListedCategory) => <span dir="auto">{category?.description}</span>,
};

interface CategoryMenuProps {
  readonly category: Versioned<Category>;
  readonly animals: ListedCategory["animals"];
}

function CategoryMenu({ category, animals }: CategoryMenuProps) {
  return (
    <DialogMenu
      of={shortName(category.name, `category ${category.id}`)}
      dialogs={{
        "Edit…": <EditCategory {...category} />,
        "Remove…": (
          <RemoveDialog kind={CATEGORY_KIND} resource={category} blocked={inUse(category, animals)} />
        ),
      }}
    />
  );
}

/**
 * Explains that a category cannot be removed while animals use it. A confirmation would be pointless, because the server would
 * refuse the removal.
 */
function inUse({ id, name }: Category, animals: ListedCategory["animals"]) {
  if (!animals) return undefined;
  const text = (
    <p>
      Move {animals === 1 ? "it" : "them"} to another category first:{" "}
      <a href={`/animals?category=${id}`}>show the animals in this category</a>.
    </p>
  );
  return { title: `${shortName(name, `Category ${id}`)} has ${animalCount(animals)}`, text };
}
