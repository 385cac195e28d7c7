import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findCredential } from '@svc/postgres/credentials/credentials.ts';
import { type ConnectionAttempt, readMemberRights } from '@svc/postgres/credentials/tokens/attempts.ts';
import { isSessionAlive } from '@svc/postgres/people/sso/identities.ts';

const OVER = 'The session that started this has ended. Sign in and start again.';
const NO_MORE = 'You may not connect this credential any more.';

/** Returns why the person who began a connection may not finish it: their session ended, or they may no longer rotate the credential. */
export const findConnectingFault = async (
  tx: TenantTransaction,
  { organization_id, credential_id, user_id, session_id }: ConnectionAttempt,
  now: Date,
): Promise<Refusal<'PERMISSION_DENIED'> | undefined> => {
  const session = { organizationId: organization_id, userId: user_id, id: session_id };
  if (!(await isSessionAlive(tx, session, now))) return buildRefusal('PERMISSION_DENIED', OVER);
  const [rights, credential] = [
    await readMemberRights(tx, organization_id, user_id),
    await findCredential(tx, { organization_id, id: credential_id }),
  ];
  const sees = rights?.workspace_ids == null || (credential !== undefined && rights.workspace_ids.includes(credential.workspace_id));
  return rights?.permissions.includes('credential:rotate') && sees ? undefined : buildRefusal('PERMISSION_DENIED', NO_MORE);
};
