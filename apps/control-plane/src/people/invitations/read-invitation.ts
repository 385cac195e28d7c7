import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import { refuseEndedInvitation } from '@svc/operations/people/invitations/take-up-invitation.ts';
import { findInvitationByCode } from '@svc/postgres/people/invitations/find-by-code.ts';
import type { PeopleDeps } from '../deps.ts';

/**
 * Reads an invitation. The code was mailed, so its holder may know what the owner of the address may. An unproved account counts as none.
 */
export const readInvitation: Handler<Endpoints['readInvitation'], PeopleDeps> = async ({ body, now }, { identity }) => {
  const found = await findInvitationByCode(identity, hashSecret(body.code), now);
  if (!found) return refuseEndedInvitation();
  const { organization_id, organization_name, email, role, invited_by, expires_at, account } = found;
  const organization = { id: organization_id, name: organization_name };
  return { organization, email, role, invited_by, has_account: account?.is_proved ?? false, expires_at };
};
