import { textListParameter } from "../contract/parameter.ts";
import { STORABLE_PATTERN, textSchema } from "../contract/schema.ts";
import { NAME_LENGTH_MAX } from "../contract/text-length.ts";
import { ID_FILTER_MAX } from "../limits.ts";

// An external identifier must not contain a comma, because commas separate the identifiers in a filter.
const EXTERNAL_ID_PATTERN = STORABLE_PATTERN.replaceAll("\\u0000", ",\\u0000");

/** The schema of an animal's external identifier, which the client chooses. */
export function externalIdSchema() {
  const text = textSchema({
    description:
      "Your own number for the animal, such as an article, microchip or ring number. No two animals can have the same number.",
    example: "A-1001",
    maxLength: NAME_LENGTH_MAX,
  });
  return text
    .refine((value) => value !== "" && !value.includes(","), {
      error: "must have at least 1 character, and no comma",
    })
    .meta({ ...text.meta(), minLength: 1, pattern: EXTERNAL_ID_PATTERN });
}

export const externalIdsParameter = textListParameter({
  description:
    "Returns only the animals whose `externalId` is one of the given values: `externalId=A-1001,A-1002` or `externalId=A-1001&externalId=A-1002`.",
  maximum: ID_FILTER_MAX,
  maxLength: NAME_LENGTH_MAX,
  example: ["A-1001"],
});
