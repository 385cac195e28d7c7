import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { roleOf } from '../../people/auth/member-rights.ts';

/** The addresses of those who may put a subscription right: members that hold webhook:update and see its place. */
export const findKeepers = async (
  tx: TenantTransaction,
  { organization_id, workspace_id }: { readonly organization_id: string; readonly workspace_id: string | null },
): Promise<{ readonly emails: readonly string[]; readonly organizationName: string }> => {
  const { rows } = await sql<{ email: string; organization_name: string }>`
    select u.email, o.name as organization_name from members m
      join users u on u.id = m.user_id
      join organizations o on o.id = m.organization_id
      ${roleOf('m')}
     where m.organization_id = ${organization_id} and 'webhook:update' = any (r.permissions)
       and (not m.is_limited or exists (select from member_workspaces w
         where w.organization_id = m.organization_id and w.member_id = m.id and w.workspace_id = ${workspace_id}::text))
     order by m.created_at limit ${LIMITS.webhooks.toldOfFailureMax}`.execute(tx);
  return { emails: rows.map(({ email }) => email), organizationName: rows[0]?.organization_name ?? '' };
};
