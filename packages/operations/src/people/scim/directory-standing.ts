import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Standing } from '@svc/domain/people/members/grant.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { takeStanding } from '../members/take-standing.ts';

/** By whose token a directory speaks, and when. */
export type Directed = { readonly organization_id: string; readonly made_by: string; readonly now: Date };

const NOTHING: Standing = { permissions: [], workspace_ids: [], is_owner: false, is_key: false };

/**
 * What a directory may do at this moment: what whoever made its token may. They were looked at when it was let in, and may have lost it since,
 * or more may be given by groups by now: with nothing it reaches nobody.
 */
export const directoryStanding = async (tx: TenantTransaction, { organization_id, made_by, now }: Directed): Promise<Standing> => {
  const by = await takeStanding(tx, { scope: { organization_id }, actor: { type: 'USER', id: made_by, name: null }, now }, ['sso:update']);
  return isRefusal(by) ? NOTHING : by;
};
