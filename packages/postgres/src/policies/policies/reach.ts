import type { PolicyScope } from '@svc/contract/tables/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

type Target = { readonly scope: PolicyScope; readonly target_id: string };

/** Values read of each label; one with more is not compared. */
const VALUES_MAX = 500;
const ENVIRONMENTS_MAX = 10;

/**
 * Returns values of these labels that active agents of the organization have; null for a label with too many. A label without agents is
 * omitted.
 * Null if there is nothing to compare: no label is read, or the organization has no agent yet.
 */
export const readLabelValues = async (
  tx: TenantTransaction,
  organizationId: string,
  labels: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string> | null> | null> => {
  if (labels.length === 0) return null;
  const any = await tx.selectFrom('agents').select('id').where('organization_id', '=', organizationId).limit(1).executeTakeFirst();
  if (any === undefined) return null;
  const { rows } = await sql<{ label: string; values: string[] }>`
    select asked.label, array(select distinct a.labels ->> asked.label from agents a
                               where a.organization_id = ${organizationId} and a.status not in ('REVOKED', 'DECOMMISSIONED') and a.labels ? asked.label
                               limit ${VALUES_MAX + 1}) as values
      from unnest(${[...labels]}::text[]) as asked (label)`.execute(tx);
  return new Map(
    rows.flatMap(({ label, values }) =>
      values.length === 0 ? [] : [[label, values.length > VALUES_MAX ? null : new Set(values)] as const],
    ),
  );
};

const lies = ({ scope, target_id }: Target): RawBuilder<boolean> => {
  if (scope === 'ORGANIZATION') return sql`true`;
  if (scope === 'WORKSPACE') return sql`e.workspace_id = ${target_id}`;
  if (scope === 'ENVIRONMENT') return sql`e.id = ${target_id}`;
  return sql`e.id = (select a.environment_id from agents a where a.organization_id = e.organization_id and a.id = ${target_id})`;
};

/** Names of environments under these bindings in which agents may act without a delegation, a few of them. */
export const readUndelegatedEnvironments = async (
  tx: TenantTransaction,
  organizationId: string,
  bindings: readonly Target[],
): Promise<string[]> => {
  if (bindings.length === 0) return [];
  const { rows } = await sql<{ name: string }>`
    select e.name from environments e
     where e.organization_id = ${organizationId} and e.archived_at is null and not e.requires_delegation
       and (${sql.join(bindings.map(lies), sql` or `)})
     order by e.name limit ${ENVIRONMENTS_MAX}`.execute(tx);
  return rows.map(({ name }) => name);
};
