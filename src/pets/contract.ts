import { z } from "zod";
import { type Deprecation, type DocumentedOperations, sharing } from "../contract/operation.ts";
import {
  booleanParameter,
  enumParameter,
  int64ListParameter,
  int64Parameter,
  opaqueParameter,
  pagingParameters,
} from "../contract/parameter.ts";
import { enumSchema, int64Schema, requiredOr, textSchema } from "../contract/schema.ts";
import { NAME_LENGTH_MAX } from "../contract/text-length.ts";
import { ID_FILTER_MAX } from "../limits.ts";
import { externalIdSchema, externalIdsParameter } from "./external-id.ts";
import { wordsOf } from "./words.ts";

const NAME_WORDS_MAX = 100; // maximum number of different words in one `name` filter; a filter with more words is refused

export const PET_STATUSES = ["available", "pending", "sold"] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

const petStatus = enumSchema(PET_STATUSES, {
  id: "PetStatus",
  description: "Availability of an animal.",
  example: "available",
});

const storedName = { description: "The animal's name, stored exactly as sent.", example: "Fluffy" };
const name = textSchema({ ...storedName, maxLength: NAME_LENGTH_MAX });
const categoryId = int64Schema({
  description: "Identifier of the animal's category. The animal can be added before the category.",
  example: 1,
});
const status = petStatus.optional();
const externalId = externalIdSchema().optional();

const newPet = z
  .object({ name, categoryId, status, externalId })
  .meta({ id: "NewPet", description: "An animal to add. Without `status`, the animal has no status." });
export type NewPet = z.infer<typeof newPet>;

export const pet = z
  .object({
    id: int64Schema({
      minimum: 1,
      description: "Unique identifier, assigned by the service and never used again.",
      example: 1,
    }),
    ...newPet.shape,
    // This schema sets no maximum length, because a store from an earlier version may contain longer names.
    name: textSchema(storedName),
  })
  .meta({
    id: "Pet",
    description: "An animal. `status` and `externalId` are absent if they are not set.",
  });
export type Pet = z.infer<typeof pet>;

const pets = z.array(pet).meta({ id: "Pets", description: "Animals, newest first." });

export const petPatch = z
  .object({
    name: name.optional(),
    categoryId: categoryId.optional(),
    status: z
      .enum(PET_STATUSES, { error: requiredOr(`one of ${PET_STATUSES.join(", ")}, or null`) })
      .nullable()
      .optional()
      .meta({ description: "The new status; `null` removes the status." }),
    externalId: externalIdSchema()
      .nullable()
      .optional()
      .meta({ description: "Your new number for the animal; `null` removes the number.", example: "A-1001" }),
  })
  .meta({ id: "PetPatch", description: "Changes to an animal, as a JSON Merge Patch (RFC 7396)." });
export type PetPatch = z.infer<typeof petPatch>;

const nameParameter = opaqueParameter({
  description:
    "Returns only animals whose name matches: every word of this text must begin a word of the name. Upper and lower case, full-width letters and accents make no difference: `flu` finds `Mr. Fluffy`, `strasse` finds `Straße`. Text in Han, kana, Hangul or Thai also matches inside words, and text that " +
    "consists of symbols, such as an emoji, matches anywhere. A request searches at most 20,000 animals, so a page may have fewer animals " +
    "than `limit`, or no animals, even if there is a `Link` to the next page.",
  expected: `text with 1 to ${NAME_WORDS_MAX} words`,
  example: "flu",
  accepts(text) {
    const { length } = wordsOf(text);
    return length > 0 && length <= NAME_WORDS_MAX;
  },
});

const fluffy = { id: 1, name: "Fluffy", categoryId: 1, status: "available" };
const pathParameters = { petId: int64Parameter({ description: "Identifier of the animal.", example: 1 }) };

/** The first day (UTC) on which `GET /pets/{petId}` responds with 410. */
const removalDate = "5 December 2030";
// The date is written as text, because formatting a number with Intl.DateTimeFormat would add 10 ms to every start.
const GET_PET_SUNSET = Date.parse(`${removalDate} UTC`);

const GET_PET_DEPRECATION: Deprecation = {
  since: Date.UTC(2026, 0, 1),
  sunset: GET_PET_SUNSET,
  successor: "/pets",
  goneMessage: `GET /pets/{petId} was removed on ${removalDate}. Use GET /pets with the status filter, or GET /pets?id=… for one animal.`,
};

export const petOperations = sharing({ tag: "Pets" }, {
  listPets: {
    method: "GET",
    path: "/pets",
    summary: "List animals",
    description:
      'Lists animals, newest first, one page at a time. If there are more animals, a `Link` header with `rel="next"` (RFC 8288) ' +
      "contains the address of the next page. If animals are added between two requests, no animal is repeated or skipped.",
    query: {
      limit: {
        ...pagingParameters.limit,
        description:
          "Maximum number of items in the response. With `id` or `externalId`, the default is the number of values in that parameter.",
        default: undefined,
      },
      status: enumParameter(PET_STATUSES, {
        description:
          "Returns only animals with this status. Use `hasStatus=false` for animals without a status.",
        schema: petStatus,
        example: "available",
      }),
      hasStatus: booleanParameter({
        description: "`true`: only animals with a status. `false`: only animals without a status.",
        example: false,
      }),
      categoryId: int64Parameter({ description: "Returns only animals in this category.", example: 1 }),
      name: nameParameter,
      id: int64ListParameter({
        description: "Returns only animals with these identifiers: `id=1,2` or `id=1&id=2`.",
        maximum: ID_FILTER_MAX,
        example: [1, 2],
      }),
      externalId: externalIdsParameter,
      cursor: pagingParameters.cursor,
    },
    success: {
      status: 200,
      description: "A page of animals.",
      schema: pets,
      example: [fluffy],
      paged: true,
      itemParameters: ["id", "externalId"],
      searchParameters: ["name"],
    },
    errors: ["invalid_cursor"],
  },
  createPet: {
    method: "POST",
    path: "/pets",
    summary: "Add an animal",
    description: "Adds an animal. A 201 response means that the animal is stored on disk.",
    body: {
      schema: newPet,
      examples: {
        available: { name: "Fluffy", categoryId: 1, status: "available" },
        withoutStatus: { name: "Rex", categoryId: 2 },
        withYourNumber: { name: "Nemo", categoryId: 5, status: "available", externalId: "A-1001" },
      },
    },
    success: {
      status: 201,
      description: "The animal was added. The body contains the `id` of the animal.",
      schema: pet,
      example: fluffy,
      location: "/pets/{id}",
      locationLater: { from: GET_PET_DEPRECATION.sunset, location: "/pets?id={id}" },
    },
    errors: ["conflict"],
  },
  getPet: {
    method: "GET",
    path: "/pets/{petId}",
    summary: "Get an animal",
    description:
      `Returns one animal. Deprecated: this operation will be removed on ${removalDate} at 00:00 UTC; from then on, the response is 410. ` +
      "Use `GET /pets` with the `status` filter, or `GET /pets?id=…` for one animal.",
    deprecation: GET_PET_DEPRECATION,
    pathParameters,
    success: { status: 200, description: "The animal.", schema: pet, example: fluffy },
    errors: ["not_found", "gone"],
  },
  updatePet: {
    method: "PATCH",
    path: "/pets/{petId}",
    summary: "Change an animal",
    description:
      "Changes only the given members (RFC 7396); `status: null` removes the status, `externalId: null` removes your number for the animal. " +
      "While the animal has an open order, this operation cannot change the `status`: the response is 409 `pet_has_open_order`.",
    stability: "beta",
    pathParameters,
    body: {
      schema: petPatch,
      mediaTypes: ["application/merge-patch+json", "application/json"],
      examples: { sold: { status: "sold" }, withoutStatus: { status: null } },
    },
    success: {
      status: 200,
      description: "The changed animal.",
      schema: pet,
      example: { ...fluffy, status: "sold" },
    },
    errors: ["not_found", "pet_has_open_order", "conflict"],
  },
  deletePet: {
    method: "DELETE",
    path: "/pets/{petId}",
    summary: "Remove an animal",
    description: "Removes an animal that has no open order. Its identifier is not used again.",
    stability: "beta",
    pathParameters,
    success: { status: 204, description: "The animal was removed." },
    errors: ["not_found", "pet_has_open_order"],
  },
} as const satisfies DocumentedOperations);
