import { z } from "zod";
import type { Operation } from "../contract/operation.ts";
import { pagingParameters } from "../contract/paging-parameters.ts";
import { opaqueParameter } from "../contract/parameter.ts";
import { enumSchema, textSchema, timeSchema } from "../contract/schema.ts";

export const MESSAGE_STATUSES = ["queued", "delivered", "failed"] as const;

const text = textSchema({ description: "The text of the message.", example: "Hello, World!" });

const newMessage = z
  .object({ message: text })
  .meta({ id: "NewMessage", description: "A message to submit." });

const message = z
  .object({
    id: z.string().meta({ description: "Identifier of the message.", example: "msg_4aYQwJdbBo8sV0rzP2fLxM" }),
    message: text,
    status: enumSchema(MESSAGE_STATUSES, {
      id: "MessageStatus",
      description: "`queued` until the message is `delivered`; `failed` when no further attempt is made.",
    }),
    createdAt: timeSchema("Time of submission, in UTC."),
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
      "Queues a message for delivery. When the answer is 202, the message is on disk: it is delivered at least once, " +
      "or becomes `failed` when every attempt is refused. It belongs to the environment of the key, which the delivery names.",
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
    description:
      "Returns one message of the key's environment with its delivery status; 404 for one of the other environment.",
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

/** For the console alone: programs have the identifiers of their messages, people need a list. */
export const inboxOperations = {
  listMessages: {
    id: "listMessages",
    method: "GET",
    path: "/messages",
    tag: "Console",
    summary: "List messages",
    description: "Lists the messages submitted with this environment's keys and sessions, newest first.",
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
