import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { SsoConnectionWithDomains } from '@svc/postgres/people/sso/connections.ts';
import { isOwnerEnforced } from '@svc/postgres/people/sso/enforced.ts';
import { findMember } from '@svc/postgres/people/sso/identities.ts';
import type { CallContext } from '../auth/acting.ts';
import { lockCurrentPermissions } from '../members/lock-permissions.ts';

const NOT_VERIFIED = 'None of its domains is verified: publish the record of one and test the connection.';
const NO_ONE_EXEMPT = 'Name an owner who may sign in otherwise should the provider break.';
const NO_OWNER = 'No owner of this organization has this user id: only an owner of it can be exempt.';

/** Message for a caller other than an owner who would require owners to use a provider. */
export const OWNERS_FALL_UNDER_IT =
  'An owner of this organization has an address in a domain of this connection: only an owner can make it the only way to sign in.';

const fault = (pointer: string, message: string): Refusal<'VALIDATION_FAILED'> =>
  buildRefusal('VALIDATION_FAILED', message, { faults: [{ pointer, message }] });

const isEnforcing = ({ enforce, status }: SsoConnectionWithDomains): boolean => enforce && status === 'ACTIVE';

/**
 * Returns a fault unless the named person is an owner of the organization; the same for an id of another organization as for an unknown id.
 */
export const findBreakGlassFault = async (
  tx: TenantTransaction,
  organizationId: string,
  userId: string | null | undefined,
): Promise<Refusal<'VALIDATION_FAILED'> | undefined> => {
  if (userId === null || userId === undefined) return undefined;
  const named = await findMember(tx, organizationId, userId);
  return named?.is_owner ? undefined : fault('/break_glass_user_id', NO_OWNER);
};

/** Returns a refusal if owners fall under an enforced connection and the caller is not an owner. */
export const findOwnersRefusal = async (
  tx: TenantTransaction,
  acting: CallContext,
  { organization_id, id }: SsoConnectionWithDomains,
): Promise<Refusal<'PERMISSION_DENIED'> | undefined> => {
  const by = await lockCurrentPermissions(tx, acting, ['sso:update']);
  if (isRefusal(by)) return by;
  if (by.is_owner || !(await isOwnerEnforced(tx, organization_id, id))) return undefined;
  return buildRefusal('PERMISSION_DENIED', OWNERS_FALL_UNDER_IT);
};

/**
 * Returns why a change may not enforce a connection. It needs a verified domain and an exempt owner, so that a broken provider locks no one
 * out permanently; and if owners are affected, an owner decides on it and on the exemption.
 */
export const enforceFault = async (
  tx: TenantTransaction,
  acting: CallContext,
  before: SsoConnectionWithDomains,
  changed: SsoConnectionWithDomains,
) => {
  if (!changed.enforce) return undefined;
  if (!changed.domains.some(({ verified_at }) => verified_at !== null)) return fault('/enforce', NOT_VERIFIED);
  if (changed.break_glass_user_id === null) return fault('/break_glass_user_id', NO_ONE_EXEMPT);
  const wrong = await findBreakGlassFault(tx, changed.organization_id, changed.break_glass_user_id);
  if (wrong) return wrong;
  const isWider = !isEnforcing(before) || before.break_glass_user_id !== changed.break_glass_user_id;
  return isEnforcing(changed) && isWider ? findOwnersRefusal(tx, acting, changed) : undefined;
};
