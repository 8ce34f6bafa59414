import { z } from "zod";
import { ENVIRONMENTS } from "../context.ts";
import type { WebhookRequest } from "../contract/openapi/webhooks.ts";
import { type DocumentedOperations, named, type Operations, sharing } from "../contract/operation.ts";
import { opaqueParameter, pagingParameters } from "../contract/parameter.ts";
import { textSchema, timeSchema } from "../contract/schema.ts";
import { deliveryStatus, progress } from "../delivery-queue/contract.ts";

const text = textSchema({ description: "The text of the message.", example: "Hello, World!" });

const newMessage = z
  .object({ message: text })
  .meta({ id: "NewMessage", description: "A message to submit." });

const message = z
  .object({
    id: z.string().meta({ description: "Identifier of the message.", example: "msg_4aYQwJdbBo8sV0rzP2fLxM" }),
    message: text,
    status: deliveryStatus,
    createdAt: timeSchema("Time of submission, in UTC."),
  })
  .meta({ id: "Message", description: "A submitted message." });
export type Message = z.infer<typeof message>;

const messageWithAttempts = message
  .extend(progress)
  .meta({ id: "MessageWithAttempts", description: "A message with the attempts to deliver it." });
export type MessageWithAttempts = z.infer<typeof messageWithAttempts>;

const hello = {
  id: "msg_4aYQwJdbBo8sV0rzP2fLxM",
  message: "Hello, World!",
  status: "queued",
  createdAt: "2026-01-01T12:00:00.000Z",
};
const attempts = [{ createdAt: "2026-01-01T12:00:00.050Z", durationMs: 84, status: 503, error: null }];

const pathParameters = {
  id: opaqueParameter({
    description: "Identifier of the message.",
    expected: "a message identifier",
    example: hello.id,
  }),
};

export const messageOperations = sharing({ tag: "Messages" }, {
  submitMessage: {
    method: "POST",
    path: "/messages",
    summary: "Submit a message",
    description:
      "Queues a message for delivery. A 202 response means that the message is stored on disk. It will be delivered at least once, or " +
      "become `failed` if no attempt succeeds. The delivery contains the environment of the key that submitted the message.",
    body: {
      schema: newMessage,
      examples: { hello: { message: "Hello, World!" } },
    },
    success: {
      status: 202,
      description: "The message is queued.",
      schema: message,
      example: hello,
      location: "/messages/{id}",
    },
  },
  getMessage: {
    method: "GET",
    path: "/messages/{id}",
    summary: "Get a message",
    description:
      "Returns a message with its delivery status and the attempts to deliver it. The response is 404 if the message and the key belong to different environments.",
    stability: "beta",
    pathParameters,
    success: {
      status: 200,
      description: "The message.",
      schema: messageWithAttempts,
      example: { ...hello, status: "failed", attempts },
    },
    errors: ["not_found"],
  },
  redeliverMessage: {
    method: "POST",
    path: "/messages/{id}/redeliver",
    summary: "Send a message again",
    description:
      "Queues a failed message again, with the same `webhook-id` and as many retries as a new message. If the message has not failed, the request fails with `conflict`.",
    stability: "beta",
    pathParameters,
    success: {
      status: 202,
      description: "The message is queued.",
      schema: messageWithAttempts,
      example: { ...hello, nextAttemptAt: "2026-01-05T12:00:00.000Z", attempts },
      location: "/messages/{id}",
    },
    errors: ["not_found", "conflict"],
  },
} as const satisfies DocumentedOperations);

const { id, createdAt } = message.shape;
const messagePayload = z
  .object({
    type: z.literal("message.submitted").meta({ description: "The kind of event." }),
    timestamp: createdAt,
    data: z
      .object({
        id,
        message: text,
        createdAt,
        environment: z.enum(ENVIRONMENTS).optional().meta({
          description:
            "Environment of the key that submitted the message. Absent if the message was stored by an early version of petstore.",
        }),
      })
      .meta({ id: "SubmittedMessage", description: "A message as the receiver gets it." }),
  })
  .meta({ id: "MessagePayload", description: "The body of a delivery." });

export const messageRequests: readonly WebhookRequest[] = [
  {
    name: "message",
    types: ["message.submitted"],
    summary: "A message was submitted",
    description:
      "If the setting `PETSTORE_MESSAGES_WEBHOOK` contains a URL, each message is sent to this URL at least once.",
    schema: messagePayload,
    example: {
      type: "message.submitted",
      timestamp: hello.createdAt,
      data: { id: hello.id, message: hello.message, createdAt: hello.createdAt, environment: "production" },
    },
  },
];

/**
 * Operations that exist only for the console, because people need a list of messages. Programs do not: they know the identifiers
 * of their messages.
 */
export const inboxOperations = named({
  listMessages: {
    method: "GET",
    path: "/messages",
    query: pagingParameters,
    success: {
      status: 200,
      schema: z.array(message),
      paged: true,
    },
  },
} as const satisfies Operations);
