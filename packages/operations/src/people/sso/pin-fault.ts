import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { beyondReach } from '@svc/domain/people/members/grant.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import type { ConnectionRow } from '@svc/postgres/people/sso/connections.ts';
import { listRolesOfLinked } from '@svc/postgres/people/sso/identities.ts';
import type { CallContext } from '../auth/acting.ts';
import { lockCurrentPermissions } from '../members/lock-permissions.ts';

const SENTENCE =
  'With a pinned certificate you could sign in as any person with a linked identity of this connection. You need the permissions of all of them; if an owner is linked, you must be an owner.';

/**
 * Returns why a person may not pin other certificates: the key behind one can sign in every known subject, so pinning it equals holding
 * what each of these people holds.
 */
export const findPinFault = async (
  tx: TenantTransaction,
  acting: CallContext,
  before: Pick<ConnectionRow, 'id' | 'certificates'>,
  pinned: readonly string[],
): Promise<Refusal<'PERMISSION_DENIED'> | undefined> => {
  if (pinned.every((pem) => before.certificates.includes(pem))) return undefined;
  const by = await lockCurrentPermissions(tx, acting, ['sso:update']);
  if (isRefusal(by)) return by;
  const { organization_id } = acting.scope;
  for (const id of await listRolesOfLinked(tx, organization_id, before.id)) {
    const role = await findRole(tx, organization_id, id);
    // A person limited to workspaces holds less than their role everywhere, and the caller sees all of them.
    const beyond = role && beyondReach(by, { role, workspace_ids: null });
    if (beyond)
      return buildRefusal('PERMISSION_DENIED', SENTENCE, beyond.because === 'PERMISSIONS' ? { permissions: beyond.permissions } : {});
  }
  return undefined;
};
