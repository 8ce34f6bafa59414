import type { Int64 } from "exact-json/int64";
import { isStandIn } from "../../../pet-files/categories.ts";
import type { ParsedPet } from "../../../pet-files/parse-pets.ts";
import type { NewPet } from "../../../pets/contract.ts";
import { categoryName } from "../categories/category-names.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { ListTable } from "../components/list-table.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { formatNumber } from "../format.ts";
import { animalCount } from "../pets/animal-count.ts";
import { StatusBadge } from "../pets/pet-status.tsx";
import type { ChosenFile } from "./import-state.ts";

/** The maximum number of new categories that the preview lists by name. */
const NAMED_MAX = 10;

export function Preview({ file }: { readonly file: ChosenFile }) {
  return (
    <>
      <Notes {...file} />
      {file.shown.length > 0 && <LineTable label="Lines" lines={file.shown} created={file.newCategories} />}
    </>
  );
}

interface LineTableProps {
  readonly label: string;
  readonly lines: readonly ParsedPet[];
  readonly created?: ChosenFile["newCategories"];
}

export function LineTable({ label, lines, created }: LineTableProps) {
  useCategoryNames();
  const hasProblems = lines.some((line) => "refusal" in line);
  const columns = {
    Name: (line: ParsedPet) => {
      const name = String(valuesOf(line).name ?? "");
      return name.trim() ? <LongText text={name} /> : <em class="muted">No name</em>;
    },
    Category: (line: ParsedPet) => <span dir="auto">{categoryOf(line, created)}</span>,
    Status: {
      cell: (line: ParsedPet) =>
        "pet" in line ? <StatusBadge status={line.pet.status} /> : String(valuesOf(line).status ?? ""),
      isWrapped: true,
    },
    ...(lines.some((line) => valuesOf(line).externalId !== undefined) && {
      "Own number": (line: ParsedPet) => <bdi>{valuesOf(line).externalId}</bdi>,
    }),
    Line: { cell: ({ line }: ParsedPet) => line, isShort: true, isLabelled: true },
    ...(hasProblems && {
      Problem: {
        cell: (line: ParsedPet) =>
          "refusal" in line && (
            <span class="problem" dir="auto">
              {line.refusal}
            </span>
          ),
        isWrapped: true,
      },
    }),
  };
  return (
    <ListTable label={label} rows={lines.map((line) => ({ id: line.line, ...line }))} columns={columns} />
  );
}

/** Returns the values of a line. In a refused line, the category may be a name, and the status may be any text. */
function valuesOf(line: ParsedPet): Partial<NewPet> & { readonly categoryId?: Int64 | string } {
  return "pet" in line ? line.pet : (line.members ?? {});
}

function categoryOf(line: ParsedPet, created: ChosenFile["newCategories"] = new Map()): string {
  const { categoryId = "" } = valuesOf(line);
  if (typeof categoryId === "string") return categoryId;
  const name = isStandIn(categoryId) ? created.get(categoryId) : undefined;
  return name === undefined ? categoryName(String(categoryId)) : `${shortName(name, "")} (new)`;
}

/** Shows what the person should know about the lines before the import begins, such as the new categories. */
function Notes({ refused, nameless, newCategories, repeats }: ChosenFile) {
  const names = [...newCategories.values()].map((name) => shortName(name, ""));
  const named = names.slice(0, NAMED_MAX).join(", ") + (names.length > NAMED_MAX ? ", …" : "");
  const isOne = names.length === 1;
  return (
    <p dir="auto">
      {names.length > 0 &&
        `${formatNumber(names.length)} new ${isOne ? "category" : "categories"}: ${named} – ${isOne ? "it" : "they"} will be created when the animals are imported. `}
      {repeats !== undefined && repeats.lines > 0 && (
        <strong>
          {repeats.isAtLeast && "At least "}
          {formatNumber(repeats.lines)} {repeats.lines === 1 ? "line has" : "lines have"} the same name and
          category as an animal in the store.{" "}
        </strong>
      )}
      {nameless > 0 && `${animalCount(nameless)} ${nameless === 1 ? "has" : "have"} no name. `}
      {refused.length > 0 && (
        <strong class="problem">
          {formatNumber(refused.length)} {refused.length === 1 ? "row" : "rows"} will be skipped.
        </strong>
      )}
    </p>
  );
}
