import type { SsoIdentity } from '@svc/contract/people/sso-sign-in.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { SsoAttempt } from '@svc/postgres/people/sso/attempts.ts';
import { insertIdentity, isSessionAlive, listIdentities } from '@svc/postgres/people/sso/identities.ts';

type Linking = {
  readonly attempt: SsoAttempt;
  readonly subject: string;
  readonly newId: (noun: 'sso_identity') => string;
  readonly now: Date;
};

const OVER = 'The session that started this has ended. Sign in and start again.';
const TAKEN = 'This identity is already linked, to you or to another member of the organization.';

/** Links an identity to the person who began it, whose session must still exist. */
export const linkReturnedIdentity = async (
  { tx, emit }: Change<'user.identity_linked'>,
  { attempt, subject, newId, now }: Linking,
): Promise<SsoIdentity | Refusal<'PERMISSION_DENIED'>> => {
  const { organization_id, connection_id, link_user_id, link_session_id } = attempt;
  const [userId, sessionId] = [link_user_id ?? '', link_session_id ?? ''];
  const isThere = await isSessionAlive(tx, { organizationId: organization_id, userId, id: sessionId }, now);
  if (!isThere) return buildRefusal('PERMISSION_DENIED', OVER);
  if ((await listIdentities(tx, organization_id, userId)).length >= LIMITS.sso.identitiesMax)
    return buildRefusal('PERMISSION_DENIED', `You can link at most ${LIMITS.sso.identitiesMax} identities. Unlink one first.`);
  const id = newId('sso_identity');
  if (!(await insertIdentity(tx, { organization_id, connection_id, subject, id, user_id: userId, now })))
    return buildRefusal('PERMISSION_DENIED', TAKEN);
  emit('user.identity_linked', { ...about.user({ id: userId }), data: { after: { identity_id: id, connection_id, subject } } });
  const linked = (await listIdentities(tx, organization_id, userId)).find((identity) => identity.id === id);
  return linked ?? buildRefusal('PERMISSION_DENIED', OVER);
};
