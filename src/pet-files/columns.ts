import type { NewPet, Pet } from "../pets/contract.ts";
import { folded } from "../pets/words.ts";

type Member = keyof NewPet;

/** The animal's member that a CSV column holds; empty for an ignored column. */
export type Target = keyof Pet | "";

/** Patterns of column headings by member, in order of precedence. A new member does not compile until it is here. */
const HEADINGS: Readonly<Record<keyof Pet, readonly RegExp[]>> = {
  id: [/^id$/, /^(animal|pet|tier)id$/],
  name: [/^(name(safe)?|animal)$/, /^((animal|pet|tier|ruf)name|namedestieres|pet|tier|bezeichnung)$/],
  categoryId: [
    /^category(id|number|name)?$/,
    /^(category(no|nr)|kategorien?(id|nummer|nr|name|bezeichnung)?|tierart|art|species|kind)$/,
  ],
  status: [/^(status|availability)$/, /^(available|verfue?gbar(keit)?|zustand|state)$/],
  externalId: [
    /^(externalid|ownnumber(safe)?)$/,
    /^((article|chip|microchip|ring|till)(no|nr|number)|(artikel|chip|ring|kassen)(nr|nummer)|eigenenummer|sku)$/,
  ],
};

/** Members that a column can hold. */
export const COLUMN_MEMBERS = Object.keys(HEADINGS) as readonly (keyof Pet)[];

const IS_REQUIRED: { readonly [Name in Member]-?: undefined extends NewPet[Name] ? false : true } = {
  name: true,
  categoryId: true,
  status: false,
  externalId: false,
};

/** Members of a new animal, in the order of an export. */
export const MEMBERS = Object.keys(IS_REQUIRED) as readonly Member[];

export const REQUIRED_MEMBERS = MEMBERS.filter((member) => IS_REQUIRED[member]);

/** Maps headings to members; of several columns for a member, the first is used. */
export function targetsOf(headings: readonly string[]): readonly Target[] {
  const plain = headings.map(plainText);
  const columns = COLUMN_MEMBERS.map((member) => {
    const known = HEADINGS[member].find((pattern) => plain.some((heading) => pattern.test(heading)));
    return [member, plain.findIndex((heading) => known?.test(heading))] as const;
  });
  return headings.map((_, index) => columns.find(([, column]) => column === index)?.[0] ?? "");
}

/** Normalizes text for comparison, to letters and digits in lower case: `Kategorie-Nr.` becomes `kategorienr`. */
export function plainText(text: string): string {
  return folded(text).replaceAll(" ", "");
}
