import type { PolicyRule } from '@svc/contract/policies/language.ts';
import type { PolicyScope } from '@svc/contract/tables/vocabulary.ts';
import type { Around } from '@svc/policy/analyse/grants.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** What is read at most; where there is more, nothing can be said of what is around. */
const VERSIONS_MAX = 20;
const RULES_MAX = 200;

type Row = { readonly policy_id: string; readonly currency: string; readonly rules: readonly PolicyRule[] | null };

/**
 * The rules in force that apply wherever these bindings do, and those of the policy itself. Null where they are too many, or written in
 * another currency, in which the same number is another amount.
 */
export const readAround = async (
  tx: TenantTransaction,
  organizationId: string,
  bindings: readonly { readonly scope: PolicyScope; readonly target_id: string }[],
  { policy_id = '', currency }: { readonly policy_id?: string; readonly currency: string },
): Promise<Around | null> => {
  const places = bindings.map(({ scope, target_id }) => `${scope}/${target_id}`);
  const { rows } = await sql<Row>`
    select v.policy_id, v.currency, case when json_array_length(v.rules) <= ${RULES_MAX} then v.rules end as rules
      from policy_versions v
     where v.organization_id = ${organizationId} and v.status = 'ACTIVE'
       and (v.policy_id = ${policy_id}
            or (select count(distinct b.scope || '/' || b.target_id) filter (where b.scope = 'ORGANIZATION') > 0
                       or count(distinct b.scope || '/' || b.target_id) filter (where b.scope || '/' || b.target_id = any(${places}::text[])) = ${new Set(places).size}
                  from policy_bindings b where b.organization_id = v.organization_id and b.policy_id = v.policy_id))
     order by v.policy_id limit ${VERSIONS_MAX + 1}`.execute(tx);
  if (rows.length > VERSIONS_MAX || rows.some((row) => row.rules === null || row.currency !== currency)) return null;
  const of = (isOwn: boolean): PolicyRule[] =>
    rows.filter((row) => (row.policy_id === policy_id) === isOwn).flatMap(({ rules }) => rules ?? []);
  const beside = of(false);
  if (beside.length > RULES_MAX) return null;
  return { beside, before: rows.some((row) => row.policy_id === policy_id) ? of(true) : null };
};
