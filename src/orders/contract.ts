import { z } from "zod";
import { type DocumentedOperations, sharing } from "../contract/operation.ts";
import { booleanParameter, int64Parameter, pagingParameters, timeParameter } from "../contract/parameter.ts";
import { fixedInt64Schema, int64Schema, timeSchema } from "../contract/schema.ts";

const animal = { description: "Identifier of the ordered animal.", example: 1 };
const quantity = int64Schema({ description: "Ordered quantity.", example: 1, minimum: 1 });
const shipDate = timeSchema("Planned time of shipping.");

const newOrder = z
  .object({
    petId: int64Schema(animal),
    quantity: fixedInt64Schema(1, {
      description: "Quantity ordered: always 1, because an order is for one animal. May be left out.",
      example: 1,
    }).optional(),
    shipDate: shipDate
      .nullable()
      .optional()
      .meta({ description: "Planned time of shipping (RFC 3339), if known." }),
  })
  .meta({ id: "NewOrder", description: "An order to place." });

export const order = z
  .object({
    id: int64Schema({ minimum: 1, description: "Unique identifier, assigned by the service.", example: 1 }),
    petId: int64Schema({ ...animal, minimum: 1 }),
    quantity,
    shipDate: shipDate
      .nullable()
      .meta({ description: "Planned time of shipping, in UTC; null if not known." }),
    complete: z.boolean().meta({ description: "True after the order was completed: the animal is sold." }),
    createdAt: timeSchema("Time at which the order was placed, in UTC."),
    completedAt: timeSchema(
      "Time at which the order was completed, in UTC; absent while the order is open.",
    ).optional(),
  })
  .meta({ id: "Order", description: "An order for one animal." });
export type Order = z.infer<typeof order>;

const orders = z.array(order).meta({ id: "Orders", description: "Orders, newest first." });

const createdAt = "2026-01-01T12:00:00.000Z";
const open = { id: 1, petId: 1, quantity: 1, shipDate: null, complete: false, createdAt };
const pathParameters = { orderId: int64Parameter({ description: "Identifier of the order.", example: 1 }) };

export const orderOperations = sharing({ tag: "Store", stability: "beta" }, {
  listOrders: {
    method: "GET",
    path: "/store/orders",
    summary: "List orders",
    description: "Lists orders, newest first, one page at a time. Cancelled orders are deleted.",
    hideTryItPanel: true,
    query: {
      limit: pagingParameters.limit,
      petId: int64Parameter({ description: "Returns only orders for this animal.", example: 1 }),
      complete: booleanParameter({
        description: "`true`: only complete orders. `false`: only open orders.",
        example: false,
      }),
      completedFrom: timeParameter({
        description:
          "Returns only orders that were completed at this time (RFC 3339) or later. A page may have fewer orders than " +
          "`limit`, or no orders, even if there is a `Link` to the next page.",
        example: "2026-01-01T00:00:00Z",
      }),
      completedBefore: timeParameter({
        description: "Returns only orders that were completed before this time (RFC 3339).",
        example: "2026-02-01T00:00:00Z",
      }),
      cursor: pagingParameters.cursor,
    },
    success: {
      status: 200,
      description: "A page of orders.",
      schema: orders,
      example: [open],
      paged: true,
      searchParameters: ["completedFrom", "completedBefore"],
    },
    errors: ["invalid_cursor"],
  },
  placeOrder: {
    method: "POST",
    path: "/store/orders",
    access: "sell",
    summary: "Place an order",
    description:
      "Places an order for an `available` animal, and sets the animal's status to `pending`, in one transaction. " +
      "If two requests order the same animal, one succeeds and the other gets `pet_not_available`. " +
      "Until the order is completed or cancelled, nothing else can change the animal's status.",
    body: { schema: newOrder, examples: { one: { petId: 1 } } },
    success: {
      status: 201,
      description: "The order was placed.",
      schema: order,
      example: open,
      location: "/store/orders/{id}",
    },
    errors: ["not_found", "pet_not_available"],
  },
  getOrder: {
    method: "GET",
    path: "/store/orders/{orderId}",
    summary: "Get an order",
    description: "Returns one order. Cancelled orders are deleted, so they are not found.",
    pathParameters,
    success: { status: 200, description: "The order.", schema: order, example: open },
    errors: ["not_found"],
  },
  completeOrder: {
    method: "POST",
    path: "/store/orders/{orderId}/complete",
    access: "sell",
    summary: "Complete an order",
    description:
      "Marks an order as complete, and sets the status of its animal to `sold`, in one transaction.",
    pathParameters,
    success: {
      status: 200,
      description: "The completed order.",
      schema: order,
      example: { ...open, complete: true, completedAt: createdAt },
    },
    errors: ["not_found", "order_already_complete"],
  },
  cancelOrder: {
    method: "DELETE",
    path: "/store/orders/{orderId}",
    access: "sell",
    summary: "Cancel an order",
    description:
      "Deletes an order that is not complete, and changes the status of its animal from `pending` to `available`, in one transaction.",
    pathParameters,
    success: { status: 204, description: "The order was cancelled." },
    errors: ["not_found", "order_already_complete"],
  },
} as const satisfies DocumentedOperations);
