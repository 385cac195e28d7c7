import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, keep } from '@svc/postgres/change/change.ts';
import { insertSsoSession } from '@svc/postgres/people/sso/identities.ts';
import { finishSignIn } from '../auth/finish-sign-in.ts';
import type { Opening } from '../auth/open-session.ts';
import { type ProvedIdentity, type SsoSignInEvent, signInWithIdentity } from './sign-in-with-identity.ts';

type CompleteSsoLoginRequest = {
  readonly proved: ProvedIdentity;
  readonly proofs: readonly Proof[];
  readonly opening: Opening;
  /** The user of the identity, if it is linked to one. */
  readonly owner: string | undefined;
};

/** Signs in the user whose identity a provider proved. A refusal is recorded as a failed sign-in. */
export const completeSsoLogin = async (
  change: Change<SsoSignInEvent | 'user.login_failed' | 'user.login_succeeded'>,
  { proved, proofs, opening, owner }: CompleteSsoLoginRequest,
) => {
  const { tx, emit } = change;
  const { connection } = proved;
  const { organization_id, organization_name } = connection;
  const member = await signInWithIdentity(change, proved);
  if (isRefusal(member)) {
    const data = { source_ip: opening.sourceIp, sso: member.message, ...member.details };
    emit('user.login_failed', { ...about.user({ id: owner ?? 'unknown' }), data });
    return keep(member);
  }
  const user = { id: member.user_id, email: member.email, name: member.name };
  await insertSsoSession(tx, { organization_id, session_id: opening.id, connection_id: connection.id, user_id: user.id });
  const login = { user, organization: { id: organization_id, name: organization_name }, rights: member };
  return finishSignIn(change, opening, login, proofs);
};
