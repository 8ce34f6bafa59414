import { expect, test } from "bun:test";
import type { Int64 } from "exact-json/int64";
import type { Context } from "../context.ts";
import type { CreateContext } from "../events/change.ts";
import { endpoint } from "../http/endpoint.ts";
import { petOperations } from "../pets/contract.ts";
import { insertPet } from "../pets/store.ts";
import { getPet } from "../pets/verbs.ts";
import { creationEndpoint } from "./endpoints.ts";

const { createPet, getPet: getOne } = petOperations;

test("the row of a single insertion is computed only from the body", () => {
  type Input = { readonly body: { readonly name: string; readonly categoryId: Int64 } };
  const whole = ({ create }: CreateContext, { body }: Input) =>
    create(insertPet, { ...body, status: null }, body);
  const short = ({ create }: CreateContext, { body }: Input) =>
    // @ts-expect-error the inserted row lacks a column
    create(insertPet, body, body);
  const curious = (ctx: Context & CreateContext, { body }: Input) =>
    ctx.create(insertPet, { ...body, name: body.name + ctx.now, status: null }, body);
  const table = [
    creationEndpoint(createPet, whole),
    creationEndpoint(createPet, short),
    // @ts-expect-error the context of a verb that creates a row has neither a time nor an actor
    creationEndpoint(createPet, curious),
    // @ts-expect-error only `creationEndpoint` can make an endpoint that commits a single row
    endpoint(getOne, getPet, { commit: "row" }),
  ];
  expect(table.map(({ commit }) => commit)).toEqual(new Array(4).fill("row"));
});
