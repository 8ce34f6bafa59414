import { z } from "zod";
import { named, type Operations, type Role } from "../../contract/operation.ts";
import { opaqueParameter } from "../../contract/parameter.ts";
import { type AccountView, accountId, email, newPassword, role } from "../contract.ts";

// The operations below exist only for the console, so no OpenAPI document lists them.

const token = z.string().meta({ description: "The token from the link: the part after the `#`." });

export interface InvitationOffer {
  /** The email address of the invited person; null if that person chooses an address when accepting the invitation. */
  readonly email: string | null;
  readonly role: Role;
  /** Time at which the invitation expires, in RFC 3339. */
  readonly expiresAt: string;
}

export interface InvitationView extends InvitationOffer {
  readonly id: string;
}

/** A link for accepting an invitation or setting a new password. The link works only once, and is shown only once. */
export interface OneTimeLink {
  readonly link: string;
  readonly expiresAt: string;
  /** True if the store also mails the person a link for the same purpose. */
  readonly isMailed: boolean;
}

export const invitationOperations = named({
  listInvitations: {
    method: "GET",
    path: "/invitations",
    role: "owner",
    success: { status: 200, schema: z.custom<readonly InvitationView[]>() },
  },
  createInvitation: {
    method: "POST",
    path: "/invitations",
    role: "owner",
    body: { schema: z.object({ email, role }) },
    success: { status: 201, schema: z.custom<OneTimeLink>() },
  },
  withdrawInvitation: {
    method: "DELETE",
    path: "/invitations/{invitationId}",
    role: "owner",
    pathParameters: {
      invitationId: opaqueParameter({
        description: "The invitation.",
        expected: "an invitation's identifier",
      }),
    },
    success: { status: 204 },
  },
  readInvitation: {
    // The method is POST, because the URL of a GET would contain the token, and could end up in a log.
    method: "POST",
    path: "/invitation/read",
    role: "viewer",
    body: { schema: z.object({ token }) },
    success: { status: 200, schema: z.custom<InvitationOffer>() },
  },
  acceptInvitation: {
    method: "POST",
    path: "/invitation/accept",
    role: "viewer",
    body: { schema: z.object({ token, email: email.optional(), password: newPassword }) },
    success: { status: 201, schema: z.custom<AccountView>() },
  },
  createResetLink: {
    method: "POST",
    path: "/accounts/{accountId}/reset-link",
    role: "owner",
    pathParameters: { accountId },
    success: { status: 201, schema: z.custom<OneTimeLink>() },
  },
  useResetLink: {
    method: "POST",
    path: "/password-reset",
    role: "viewer",
    body: { schema: z.object({ token, password: newPassword }) },
    success: { status: 204 },
  },
} as const satisfies Operations);
