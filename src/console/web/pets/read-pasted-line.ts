import { type CategoryNumbers, categoriesCalled } from "../../../pet-files/categories.ts";
import { statusOf } from "../../../pet-files/cells.ts";
import type { Values } from "../components/form-state.ts";
import type { PetField } from "./pet-fields.tsx";

interface PastedPet {
  /** The line's number: 1 for the first. */
  readonly id: string;
  readonly values: Values<PetField>;
  /** Sentences. */
  readonly problems: readonly string[];
  /** A category's name that no category has. */
  readonly unknownCategory: string | undefined;
}

/**
 * Reads a line: a name, or cells of a spreadsheet, `name<TAB>category<TAB>status`.
 *
 * @param usual for what the line does not name
 */
export function readPastedLine(
  id: string,
  line: string,
  usual: Values<PetField>,
  numbers: CategoryNumbers,
): PastedPet {
  const [name = "", category = "", status = "", ...more] = line.split("\t");
  const found = category.trim() === "" ? [usual.categoryId] : categoriesCalled(category, numbers).map(String);
  const wanted = status.trim() === "" ? usual.status : statusOf(status);
  const problems = [
    name.trim() === "" && "Name is missing.",
    category.trim() === "" && usual.categoryId === "" && "Category is missing.",
    found.length === 0 && `No category is called “${category.trim()}”.`,
    found.length > 1 && `${found.length} categories are called “${category.trim()}”: write its number.`,
    wanted === undefined && `“${status.trim()}” is no status: write Available, Pending or Sold.`,
    more.some((cell) => cell.trim() !== "") && "There are more than three columns: name, category, status.",
  ];
  return {
    id,
    values: { name, categoryId: found[0] ?? "", status: wanted ?? "" },
    problems: problems.filter((problem) => problem !== false),
    unknownCategory: found.length === 0 ? category.trim() : undefined,
  };
}
