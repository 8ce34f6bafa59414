import type { Category } from "../../../categories/contract.ts";
import { mayChange } from "../account/session.ts";
import { useDialog } from "../components/dialog.tsx";
import { EditDialog } from "../components/edit-dialog.tsx";
import { Empty } from "../components/empty.tsx";
import { ListTable } from "../components/list-table.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { PagedList, useLivePage } from "../components/paged-list.tsx";
import { RemoveDialog } from "../components/remove-dialog.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { callPage, callVersioned, type Versioned } from "../request.ts";
import type { ResourceKind } from "../use-version.ts";
import {
  AddCategory,
  type CategoryField,
  CategoryFields,
  categoryFrom,
  checkCategory,
} from "./category-form.tsx";

export function Categories() {
  const categories = useLivePage("category", (query, signal) =>
    callPage<Versioned<Category>>("/categories", { query, signal }),
  );
  return (
    <Screen title="Categories">
      <div class="stack">
        {mayChange.value && <AddCategory onAdded={categories.reload} />}
        <PagedList loaded={categories} what="categories" empty={<NoCategories />}>
          {({ items, news }) => (
            <CategoryTable categories={items} gone={news?.gone} reload={categories.reload} />
          )}
        </PagedList>
      </div>
    </Screen>
  );
}

function NoCategories() {
  return (
    <Empty title="No categories yet.">
      <p>{mayChange.value && "Add the first one. "}Each animal is in one category.</p>
    </Empty>
  );
}

interface CategoryTableProps {
  readonly categories: readonly Versioned<Category>[];
  readonly gone: ReadonlySet<Category["id"]> | undefined;
  readonly reload: () => Promise<void>;
}

function CategoryTable({ categories, gone, reload }: CategoryTableProps) {
  const editing = useDialog<Versioned<Category>>();
  const removing = useDialog<Versioned<Category>>();
  return (
    <>
      <ListTable
        label="Categories"
        rows={categories}
        gone={gone}
        columns={{
          ...COLUMNS,
          Actions: (category) => (
            <CategoryActions
              category={category}
              onEdit={() => editing.open(category)}
              onRemove={() => removing.open(category)}
            />
          ),
        }}
      />
      {editing.subject && <EditCategory category={editing.subject} reload={reload} onClose={editing.close} />}
      {removing.subject && (
        <RemoveDialog
          kind={CATEGORY_KIND}
          resource={removing.subject}
          onDeleted={reload}
          onClose={removing.close}
        />
      )}
    </>
  );
}

const COLUMNS = {
  Name: ({ name }: Category) => (name.trim() === "" ? <em>No name</em> : <LongText text={name} />),
  Number: ({ id }: Category) => String(id),
  Description: ({ description }: Category) => (description ? <LongText text={description} /> : "–"),
  Added: ({ createdAt }: Category) => <Timestamp at={createdAt} />,
};

interface CategoryActionsProps {
  readonly category: Category;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function CategoryActions({ category: { id, name }, onEdit, onRemove }: CategoryActionsProps) {
  const called = shortName(name, `category ${id}`);
  return (
    <div class="row-actions">
      <a href={`/animals?category=${id}`} aria-label={`Animals in ${called}`}>
        Animals
      </a>
      {mayChange.value && (
        <>
          <button type="button" class="link" aria-label={`Edit ${called}`} onClick={onEdit}>
            Edit
          </button>
          <button type="button" class="link" aria-label={`Remove ${called}`} onClick={onRemove}>
            Remove
          </button>
        </>
      )}
    </div>
  );
}

interface EditCategoryProps {
  readonly category: Versioned<Category>;
  readonly reload: () => Promise<void>;
  readonly onClose: () => void;
}

function EditCategory({ category, reload, onClose }: EditCategoryProps) {
  return (
    <EditDialog<CategoryField, Category>
      kind={CATEGORY_KIND}
      opened={category}
      valuesOf={({ name, description = "" }) => ({ name, description })}
      bodyOf={categoryFrom}
      check={checkCategory}
      fields={CategoryFields}
      onSaved={reload}
      onClose={onClose}
    />
  );
}

const path = ({ id }: Category) => `/categories/${id}`;

const CATEGORY_KIND: ResourceKind<Category> = {
  noun: "category",
  topics: ["category"],
  path,
  read: (category) => callVersioned<Category>(path(category)),
  describe({ name, description }): Readonly<Record<CategoryField, readonly [string, string]>> {
    return { name: ["Name", name], description: ["Description", description ?? "None"] };
  },
  events: () => ({ type: "category.updated,category.deleted", limit: "100" }),
  obstacle: {
    code: "category_in_use",
    link: ({ id }) => <a href={`/animals?category=${id}`}>Show the animals in this category</a>,
  },
};
