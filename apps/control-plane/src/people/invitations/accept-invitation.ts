import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import { refuseEndedInvitation } from '@svc/operations/people/invitations/take-up-invitation.ts';
import { findInvitationByCode } from '@svc/postgres/people/invitations/find-by-code.ts';
import type { PeopleDeps } from '../deps.ts';
import { acceptAsExisting } from './taking-up/accept-as-existing.ts';
import { acceptAsNew } from './taking-up/accept-as-new.ts';

/**
 * Accepts an invitation. The code proves the mailbox and nothing else: it creates an account if the address has none, or takes over an
 * unproved one, of which nothing remains; it never opens an existing account. An invalid code costs only a lookup.
 */
export const acceptInvitation: Handler<Endpoints['acceptInvitation'], PeopleDeps> = async (call, deps) => {
  const codeHash = hashSecret(call.body.code);
  const invitation = await findInvitationByCode(deps.identity, codeHash, call.now);
  if (!invitation) return refuseEndedInvitation();
  const { account } = invitation;
  return account?.is_proved
    ? acceptAsExisting(call, deps, { ...invitation, account, codeHash })
    : acceptAsNew(call, deps, { ...invitation, unproved: account?.id, codeHash });
};
