import type pg from 'pg';
import { call, mustCall, type TestResponse } from './client.ts';
import { getInvitationCode } from './mails-to.ts';

type Inviter = { readonly controlUrl: string; readonly token: string };

/** Invites a person; returns the code in the mail, read as the owner of the database. */
export const invite = async (
  client: pg.Client,
  { controlUrl, token }: Inviter,
  body: { readonly email: string; readonly role_id: string; readonly workspace_ids?: readonly string[] | null },
): Promise<{ readonly id: string; readonly code: string }> => {
  const { id } = await mustCall(controlUrl, 'POST', '/v1/members/invitations', { token, body });
  return { id, code: await getInvitationCode(client, body.email.toLowerCase()) };
};

/** Accepts an invitation, as a new person or with the password of an account. */
export const acceptInvitation = (controlUrl: string, code: string, as: object): Promise<TestResponse> =>
  call(controlUrl, 'POST', '/v1/auth/invitations/accept', { body: { code, ...as } });
