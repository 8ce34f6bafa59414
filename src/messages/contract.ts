import { z } from "zod";
import type { Operation } from "../contract/operation.ts";
import { pagingParameters } from "../contract/paging-parameters.ts";
import { opaqueParameter } from "../contract/parameter.ts";
import { enumSchema, textSchema, timeSchema } from "../contract/schema.ts";

export const MESSAGE_STATUSES = ["queued", "delivered", "failed"] as const;

const text = textSchema({ description: "What to say.", example: "Hello, World!" });

const newMessage = z
  .object({ message: text })
  .meta({ id: "NewMessage", description: "A message to submit." });

const message = z
  .object({
    id: z.string().meta({ description: "Identifier of the message.", example: "msg_4aYQwJdbBo8sV0rzP2fLxM" }),
    message: text,
    status: enumSchema(MESSAGE_STATUSES, {
      id: "MessageStatus",
      description: "`queued` until it is delivered, or `failed` when every attempt was refused.",
    }),
    createdAt: timeSchema({
      description: "When it was submitted, in UTC.",
      example: "2026-01-01T12:00:00.000Z",
    }),
  })
  .meta({ id: "Message", description: "A submitted message." });
export type Message = z.infer<typeof message>;

const hello = {
  id: "msg_4aYQwJdbBo8sV0rzP2fLxM",
  message: "Hello, World!",
  status: "queued",
  createdAt: "2026-01-01T12:00:00.000Z",
};

export const messageOperations = {
  submitMessage: {
    id: "submitMessage",
    method: "POST",
    path: "/messages",
    tag: "Messages",
    summary: "Submit a message",
    description:
      "Queues a message for delivery. A 202 means that it is on disk: it will be delivered at least once, or " +
      "become `failed` when every attempt has been refused.",
    access: "read-write",
    body: {
      schema: newMessage,
      mediaTypes: ["application/json"],
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
    id: "getMessage",
    method: "GET",
    path: "/messages/{id}",
    tag: "Messages",
    summary: "Get a message",
    description: "One message and how far it has come.",
    access: "read",
    stability: "beta",
    pathParameters: {
      id: opaqueParameter({
        description: "Identifier of the message.",
        expected: "a message identifier",
        example: hello.id,
      }),
    },
    success: {
      status: 200,
      description: "The message.",
      schema: message,
      example: { ...hello, status: "delivered" },
    },
    errors: ["not_found"],
  },
} as const satisfies Record<string, Operation>;

/** What the console adds: programs know the identifiers of what they have submitted, people look for it. */
export const inboxOperations = {
  listMessages: {
    id: "listMessages",
    method: "GET",
    path: "/messages",
    tag: "Console",
    summary: "List messages",
    description: "Messages that were submitted with this environment's keys and sessions, newest first.",
    access: "read",
    query: pagingParameters,
    success: {
      status: 200,
      description: "A page of messages.",
      schema: z.array(message),
      example: [hello],
      paged: true,
    },
    errors: ["invalid_cursor"],
  },
} as const satisfies Record<string, Operation>;
