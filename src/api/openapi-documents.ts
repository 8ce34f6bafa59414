import { categoryOperations } from "../categories/contract.ts";
import { ERROR_CATALOG } from "../contract/error-catalog.ts";
import type { Document } from "../contract/openapi/openapi.ts";
import { ERROR_STATUS } from "../errors.ts";
import { messageOperations } from "../messages/contract.ts";
import { orderOperations } from "../orders/contract.ts";
import { petOperations } from "../pets/contract.ts";

const rules = `Every request carries an API key: \`Authorization: Bearer <API_KEY>\`.

Every error is an \`Error\`: \`code\`, \`message\`, \`status\`. \`HEAD\` works wherever \`GET\` does. Integers are exact
from -2^63 to 2^63-1: use a JSON parser that keeps 64 bits.

| code | status | when |
|---|---|---|
${Object.entries(ERROR_CATALOG)
  .map(([code, { when }]) => `| \`${code}\` | ${ERROR_STATUS[code as keyof typeof ERROR_STATUS]} | ${when} |`)
  .join("\n")}`;

export const petstoreDocument: Document = {
  services: ["production", "staging"],
  title: "Petstore",
  description: `A store's animals, categories and orders.\n\n${rules}`,
  tags: [
    { name: "Pets", description: "The store's animals." },
    { name: "Categories", description: "Names for the animals' category numbers." },
    { name: "Store", description: "Orders for animals." },
  ],
  operations: [
    ...Object.values(petOperations),
    ...Object.values(categoryOperations),
    ...Object.values(orderOperations),
  ],
};

export const messagesDocument: Document = {
  services: ["messages"],
  title: "Petstore messages",
  description: `Submit a message and follow its delivery.\n\n${rules}`,
  tags: [{ name: "Messages", description: "Submitted messages and their delivery status." }],
  operations: Object.values(messageOperations),
};
