import { fieldsNamed } from '@svc/policy/language/fields-read.ts';
import type { TenantScope, TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { readBoundPolicies } from '@svc/postgres/policies/policies/bound-policies.ts';

/** A registered agent, or a new one (null). */
export type AgentPlace = { readonly id: string | null; readonly workspace_id: string; readonly environment_id: string };

/** Returns the names of the fields that rules in force read of requests by this agent, such as `agent.labels.team`. */
export const listAgentFieldsRead = async (
  tx: TenantTransaction,
  scope: TenantScope,
  { id, workspace_id, environment_id }: AgentPlace,
): Promise<ReadonlySet<string>> => {
  const { bound } = await inWholeOrganization(tx, scope, () => readBoundPolicies(tx, scope.organization_id));
  const places = new Set([scope.organization_id, workspace_id, environment_id, id]);
  const bodies = new Set(bound.flatMap(({ binding, body }) => (places.has(binding.id) ? [body] : [])));
  return new Set([...bodies].flatMap(({ rules }) => rules.flatMap(({ when }) => fieldsNamed(when).map(({ name }) => name))));
};
