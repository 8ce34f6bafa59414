import { categoryOperations } from "../categories/contract.ts";
import { createCategory } from "../categories/create-category.ts";
import { listCategories } from "../categories/list-categories.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { messageOperations } from "../messages/contract.ts";
import { getMessage } from "../messages/get-message.ts";
import { submitMessage } from "../messages/submit-message.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { completeOrder } from "../orders/complete-order.ts";
import { orderOperations } from "../orders/contract.ts";
import { listOrders } from "../orders/list-orders.ts";
import { placeOrder } from "../orders/place-order.ts";
import { petOperations } from "../pets/contract.ts";
import { createPet } from "../pets/create-pet.ts";
import { deletePet } from "../pets/delete-pet.ts";
import { getPet } from "../pets/get-pet.ts";
import { listPets } from "../pets/list-pets.ts";
import { updatePet } from "../pets/update-pet.ts";

/** Every operation of the pet store with the verb that carries it out. */
export const petstoreEndpoints: readonly Endpoint[] = [
  endpoint(petOperations.listPets, listPets),
  endpoint(petOperations.createPet, createPet, { statements: "insertion" }),
  endpoint(petOperations.getPet, getPet),
  endpoint(petOperations.updatePet, updatePet, { statements: "alone" }),
  endpoint(petOperations.deletePet, deletePet),
  endpoint(categoryOperations.listCategories, listCategories),
  endpoint(categoryOperations.createCategory, createCategory, { statements: "insertion" }),
  endpoint(orderOperations.listOrders, listOrders),
  endpoint(orderOperations.placeOrder, placeOrder),
  endpoint(orderOperations.completeOrder, completeOrder),
  endpoint(orderOperations.cancelOrder, cancelOrder),
];

/** Every operation of the message service. */
export function messagesEndpoints(onSubmitted: () => void): readonly Endpoint[] {
  return [
    endpoint(messageOperations.submitMessage, submitMessage, {
      statements: "alone",
      onCommitted: onSubmitted,
    }),
    endpoint(messageOperations.getMessage, getMessage),
  ];
}
