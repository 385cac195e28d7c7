import type { PolicySource } from '@svc/policy/judge/compile-version.ts';
import type { ScopeDirectory } from '@svc/policy/prove/places.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Everything in force in this scope, and the sources of requests. */
export type BoundPolicies = { readonly bound: readonly PolicySource[]; readonly directory: ScopeDirectory };

/**
 * Holds what is in force in an organization until the transaction ends: who changes it at the same time waits. Taken before any row, so that
 * two changes wait for each other and never in a circle.
 */
export const lockBoundPolicies = async (tx: TenantTransaction, organizationId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('policies in force of ' || ${organizationId}::text, 0))`.execute(tx);
};

type VersionRow = Omit<PolicySource, 'binding' | 'body'> & { readonly rules: PolicySource['body']['rules'] };
type BindingRow = { readonly policy_id: string; readonly scope: PolicySource['binding']['scope']; readonly target_id: string };

/** Each version is read once, however many bindings it has: all of its sources share one body. */
const readBound = async (tx: TenantTransaction, organizationId: string): Promise<PolicySource[]> => {
  const versions = await sql<VersionRow>`
    select p.id as policy_id, p.name as policy_name, v.id as version_id, v.version_number, v.currency, v.rules
      from policies p
      join policy_versions v on v.organization_id = p.organization_id and v.policy_id = p.id and v.status = 'ACTIVE'
     where p.organization_id = ${organizationId}`.execute(tx);
  const versionOf = new Map(versions.rows.map(({ rules, ...row }) => [row.policy_id, { ...row, body: { rules, tests: [] } }]));
  const bindings = await sql<BindingRow>`
    select policy_id, scope, target_id from policy_bindings
     where organization_id = ${organizationId} order by policy_id, scope, target_id`.execute(tx);
  return bindings.rows.flatMap(({ policy_id, scope, target_id }) => {
    const version = versionOf.get(policy_id);
    return version === undefined ? [] : [{ ...version, binding: { scope, id: target_id } }];
  });
};

const AGENT_ID = /agt_[0-9A-Z]{26}/g;

/** Agents that a binding or a rule names. */
const namedAgents = (bound: readonly PolicySource[]): string[] => [
  ...new Set([
    ...bound.map(({ binding }) => binding.id),
    ...[...new Set(bound.map(({ body }) => body))].flatMap(({ rules }) => JSON.stringify(rules).match(AGENT_ID) ?? []),
  ]),
];

export const readBoundPolicies = async (
  tx: TenantTransaction,
  organizationId: string,
  more: readonly PolicySource[] = [],
): Promise<BoundPolicies> => {
  const bound = await readBound(tx, organizationId);
  const environments = await tx
    .selectFrom('environments')
    .select(['id', 'name', 'workspace_id', 'type'])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute();
  const names = namedAgents([...bound, ...more]);
  const agents =
    names.length === 0
      ? []
      : await tx
          .selectFrom('agents')
          .select(['id', 'name', 'environment_id'])
          .where('organization_id', '=', organizationId)
          .where('id', 'in', names)
          .orderBy('id')
          .execute();
  return { bound, directory: { environments, agents } };
};

/** Returns the policy of a version, in any scope; the policy itself decides if the caller may see it. */
export const findPolicyOfVersion = async (
  tx: TenantTransaction,
  organizationId: string,
  versionId: string,
): Promise<string | undefined> => {
  const row = await tx
    .selectFrom('policy_versions')
    .select('policy_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', versionId)
    .executeTakeFirst();
  return row?.policy_id;
};
