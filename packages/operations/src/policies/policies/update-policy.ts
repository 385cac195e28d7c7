import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { getVersionCurrency } from '@svc/domain/policies/versions/version-currency.ts';
import { type CompiledVersion, compileVersion } from '@svc/policy/judge/compile-version.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findPolicy, touchPolicy } from '@svc/postgres/policies/policies/policies.ts';
import { findPolicyVersion, insertPolicyVersion } from '@svc/postgres/policies/versions.ts';
import { readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { asPolicySource } from '../versions/as-policy-source.ts';
import { readAnalysisContext } from '../versions/read-surroundings.ts';
import { readVersionBody } from '../versions/read-version-body.ts';
import { findVersionConflict } from '../versions/version-conflict.ts';
import { lockEditablePolicy } from './lock-editable-policy.ts';

type UpdatePolicyRequest = CallContext & { readonly body: EndpointBody<Endpoints['updatePolicy']>; readonly policyId: string };

export const updatePolicy = async ({ tx, emit }: Change<'policy.updated'>, request: UpdatePolicyRequest, edited: number | undefined) => {
  const { organization_id } = request.scope;
  const { name, description, rules, tests } = request.body;
  const policy = await lockEditablePolicy(tx, request.scope, request.policyId);
  if (isRefusal(policy)) return policy;
  const newest = await findPolicyVersion(tx, organization_id, policy.id, 'newest');
  if (!newest) throw new Error('a policy has no version');
  const conflict = await findVersionConflict(tx, organization_id, policy.id, newest, edited);
  if (conflict) return conflict;
  const body = readVersionBody(rules ?? newest.body.rules, tests ?? newest.body.tests);
  if (isRefusal(body)) return body;
  const { base_currency: baseCurrency } = await readOrganization(tx, organization_id);
  const currency = getVersionCurrency(request.body, body, { currency: newest.currency, baseCurrency });
  if (isRefusal(currency)) return currency;
  const version = { id: newId('policy_version'), version_number: newest.version_number + 1, currency, body };
  const saved = { ...version, policy_id: policy.id, status: 'DRAFT', created_by: request.actor.id, now: request.now } as const;
  await insertPolicyVersion(tx, organization_id, saved);
  const renamed = { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) };
  await touchPolicy(tx, organization_id, policy.id, { ...renamed, now: request.now });
  const before = Object.fromEntries(Object.keys(renamed).map((member) => [member, policy[member as keyof typeof renamed]]));
  emit('policy.updated', {
    ...about.policy(policy, policy.place),
    data: {
      before: { ...before, version_number: newest.version_number },
      after: { ...renamed, version_id: version.id, version_number: version.version_number },
    },
  });
  const found = await findPolicy(tx, organization_id, policy.id);
  if (!found) return buildRefusal('NOT_FOUND');
  const compiled: CompiledVersion = compileVersion(asPolicySource(policy, version));
  const { surroundings } = await readAnalysisContext(tx, organization_id, policy.bindings, () => compiled);
  return { policy: found, compiled, surroundings };
};
