import type { NewPet } from "../pets/contract.ts";
import { folded } from "../pets/words.ts";

type Member = keyof NewPet;

/** The animal's member that a CSV column holds; empty for an ignored column. */
export type Target = Member | "";

/** Patterns of column headings by member, in order of precedence. A new member does not compile until it is here. */
const HEADINGS: Readonly<Record<Member, readonly RegExp[]>> = {
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

export const MEMBERS = Object.keys(HEADINGS) as readonly Member[];

const IS_REQUIRED: { readonly [Name in Member]-?: undefined extends NewPet[Name] ? false : true } = {
  name: true,
  categoryId: true,
  status: false,
  externalId: false,
};

export const REQUIRED_MEMBERS = MEMBERS.filter((member) => IS_REQUIRED[member]);

/** Maps headings to members; of several columns for a member, the first is used. */
export function targetsOf(headings: readonly string[]): readonly Target[] {
  const plain = headings.map(plainText);
  const columns = MEMBERS.map((member) => {
    const known = HEADINGS[member].find((pattern) => plain.some((heading) => pattern.test(heading)));
    return [member, plain.findIndex((heading) => known?.test(heading))] as const;
  });
  return headings.map((_, index) => columns.find(([, column]) => column === index)?.[0] ?? "");
}

/** Normalizes text for comparison, to letters and digits in lower case: `Kategorie-Nr.` becomes `kategorienr`. */
export function plainText(text: string): string {
  return folded(text).replaceAll(" ", "");
}
