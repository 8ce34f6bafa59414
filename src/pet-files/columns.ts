import type { NewPet, Pet } from "../pets/contract.ts";
import { folded } from "../pets/words.ts";

type Member = keyof NewPet;

/** The member of an animal that a CSV column contains; empty if the import ignores the column. */
export type Target = keyof Pet | "";

/**
 * Patterns of the headings for each member of an animal. An earlier pattern takes precedence over a later one. If a member is
 * added, the program does not compile until it is listed here.
 */
const HEADINGS: Readonly<Record<keyof Pet, readonly RegExp[]>> = {
  id: [/^id$/, /^(animal|pet|tier)id$/],
  name: [/^(name(safe)?|animal)$/, /^((animal|pet|tier|ruf)name|namedestieres|pet|tier|bezeichnung)$/],
  categoryId: [
    /^category(id|number(safe)?|name)?$/,
    /^(category(no|nr)|kategorien?(id|nummer|nr|name|bezeichnung)?|tierart|art|species|kind)$/,
  ],
  status: [/^(status|availability)$/, /^(available|verfue?gbar(keit)?|zustand|state)$/],
  externalId: [
    /^(externalid|ownnumber(safe)?)$/,
    /^((article|chip|microchip|ring|till)(no|nr|number)|(artikel|chip|ring|kassen)(nr|nummer)|eigenenummer|sku)$/,
  ],
};

export const COLUMN_MEMBERS = Object.keys(HEADINGS) as readonly (keyof Pet)[];

const IS_REQUIRED: { readonly [Name in Member]-?: undefined extends NewPet[Name] ? false : true } = {
  name: true,
  categoryId: true,
  status: false,
  externalId: false,
};

/** The members of a new animal, in the order of their columns in an exported file. */
export const MEMBERS = Object.keys(IS_REQUIRED) as readonly Member[];

export const REQUIRED_MEMBERS = MEMBERS.filter((member) => IS_REQUIRED[member]);

/** Finds the member for each heading. If several columns have the same member, the first of them is used. */
export function targetsOf(headings: readonly string[]): readonly Target[] {
  const plain = headings.map(plainText);
  const columns = COLUMN_MEMBERS.map((member) => {
    const known = HEADINGS[member].find((pattern) => plain.some((heading) => pattern.test(heading)));
    return [member, plain.findIndex((heading) => known?.test(heading))] as const;
  });
  return headings.map((_, index) => columns.find(([, column]) => column === index)?.[0] ?? "");
}

/**
 * Reduces a string to its letters and digits, in lower case, so that it can be compared: `Kategorie-Nr.` becomes `kategorienr`.
 */
export function plainText(text: string): string {
  return folded(text).replaceAll(" ", "");
}
