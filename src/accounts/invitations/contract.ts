import { z } from "zod";
import { type Operation, ROLES } from "../../contract/operation.ts";
import { idParameter, opaqueParameter } from "../../contract/parameter.ts";
import { enumSchema, textSchema, timeSchema } from "../../contract/schema.ts";
import { newPassword, signedInAccount } from "../contract.ts";

// For the console alone: the OpenAPI documents do not list these operations.

const role = enumSchema(ROLES, { description: "The role of the account." });
const email = textSchema({ description: "The account's email address.", example: "ada@example.com" });
const token = z.string().meta({ description: "What follows the `#` of a link." });
const expiresAt = timeSchema("Time from which on the link is refused.");

const offer = z.object({
  email: email
    .nullable()
    .meta({ description: "The account's email address; null where the person chooses it." }),
  role,
  expiresAt,
});
export type InvitationOffer = z.infer<typeof offer>;

const invitation = offer.extend({ id: z.string() });
export type InvitationView = z.infer<typeof invitation>;

const oneTimeLink = z.object({
  link: z.string().meta({ description: "The link, which works once. It is not shown again." }),
  expiresAt,
});
export type OneTimeLink = z.infer<typeof oneTimeLink>;

const console = { tag: "Console" } as const;
const JSON_TYPE = ["application/json"] as const;

export const invitationOperations = {
  listInvitations: {
    ...console,
    id: "listInvitations",
    method: "GET",
    path: "/invitations",
    summary: "List invitations",
    description: "The invitations that can still be accepted, newest first.",
    access: "read",
    role: "owner",
    success: { status: 200, description: "The invitations.", schema: z.array(invitation) },
  },
  createInvitation: {
    ...console,
    id: "createInvitation",
    method: "POST",
    path: "/invitations",
    summary: "Invite a person",
    description:
      "Makes a link that creates one account, within 72 hours. It ends the person's link before it.",
    access: "read-write",
    role: "owner",
    body: {
      schema: z.object({ email, role }),
      mediaTypes: JSON_TYPE,
      examples: { ada: { email: "ada@example.com", role: "staff" } },
    },
    success: { status: 201, description: "The invitation.", schema: oneTimeLink },
  },
  withdrawInvitation: {
    ...console,
    id: "withdrawInvitation",
    method: "DELETE",
    path: "/invitations/{invitationId}",
    summary: "Withdraw an invitation",
    description: "Its link is refused from then on.",
    access: "read-write",
    role: "owner",
    pathParameters: {
      invitationId: opaqueParameter({
        description: "The invitation.",
        expected: "an invitation's identifier",
      }),
    },
    success: { status: 204, description: "The invitation is withdrawn." },
    errors: ["not_found"],
  },
  readInvitation: {
    ...console,
    id: "readInvitation",
    method: "POST",
    path: "/invitation/read",
    summary: "Read an invitation",
    description: "What a link offers. A POST, because an address may be logged.",
    access: "read-write",
    role: "viewer",
    body: { schema: z.object({ token }), mediaTypes: JSON_TYPE, examples: {} },
    success: { status: 200, description: "The offer.", schema: offer },
    errors: ["not_found"],
  },
  acceptInvitation: {
    ...console,
    id: "acceptInvitation",
    method: "POST",
    path: "/invitation/accept",
    summary: "Accept an invitation",
    description: "Creates the account of a link and signs in with it.",
    access: "read-write",
    role: "viewer",
    body: {
      schema: z.object({ token, email: email.optional(), password: newPassword }),
      mediaTypes: JSON_TYPE,
      examples: {},
    },
    success: { status: 201, description: "The account was created.", schema: signedInAccount },
    errors: ["not_found"],
  },
  createResetLink: {
    ...console,
    id: "createResetLink",
    method: "POST",
    path: "/accounts/{accountId}/reset-link",
    summary: "Make a password-reset link",
    description: "Makes a link that sets a new password once, within 72 hours. It ends the link before it.",
    access: "read-write",
    role: "owner",
    pathParameters: { accountId: idParameter({ description: "Identifier of the account.", example: 1 }) },
    success: { status: 201, description: "The link.", schema: oneTimeLink },
    errors: ["not_found"],
  },
  useResetLink: {
    ...console,
    id: "useResetLink",
    method: "POST",
    path: "/password-reset",
    summary: "Set a new password with a link",
    description: "Sets the password and ends every session of the account.",
    access: "read-write",
    role: "viewer",
    body: { schema: z.object({ token, password: newPassword }), mediaTypes: JSON_TYPE, examples: {} },
    success: { status: 204, description: "The password is set." },
    errors: ["not_found"],
  },
} as const satisfies Record<string, Operation>;
