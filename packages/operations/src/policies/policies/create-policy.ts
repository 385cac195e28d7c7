import type { VersionBody } from '@svc/contract/policies/language.ts';
import type { PolicyBinding } from '@svc/contract/policies/policies.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findPolicy, insertPolicy } from '@svc/postgres/policies/policies/policies.ts';
import { findBindingScope, insertBinding } from '@svc/postgres/policies/policies/policy-bindings.ts';
import { insertPolicyVersion } from '@svc/postgres/policies/versions.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';

type CreatePolicyRequest = CallContext & {
  /** Chosen by the caller, so that the version can be analyzed before it is stored. */
  readonly policyId: string;
  readonly versionId: string;
  readonly name: string;
  readonly description: string;
  readonly body: VersionBody;
  readonly currency: string | undefined;
  readonly binding: PolicyBinding;
  /** The template that the version was created from. */
  readonly template: string | undefined;
};

/** Creates a policy with its first version, a draft, and its first binding. The policy has no effect until it is activated. */
export const createPolicy = async (
  { tx, emit }: Change<'policy.created' | 'policy.bound'>,
  { scope, actor, now, policyId: id, versionId, name, description, body, currency, binding, template }: CreatePolicyRequest,
) => {
  const { organization_id } = scope;
  const bindingScope = await findBindingScope(tx, organization_id, binding);
  if (!bindingScope) return buildRefusal('NOT_FOUND', 'The scope of the binding does not exist.');
  await insertPolicy(tx, organization_id, { id, name, description, now });
  const version = { id: versionId, policy_id: id, version_number: 1, status: 'DRAFT', body, now } as const;
  const currencyColumn = currency === undefined ? {} : { currency };
  await insertPolicyVersion(tx, organization_id, { ...version, ...currencyColumn, created_by: actor.id });
  const bound = { scope: binding.scope, target_id: binding.id };
  await insertBinding(tx, organization_id, { id: newId('policy_binding'), policy_id: id, ...bound, now });
  const subject = about.policy({ id }, bindingScope);
  const after = { name, description, version_id: versionId, version_number: 1, ...(template === undefined ? {} : { template }) };
  emit('policy.created', { ...subject, data: { after } });
  emit('policy.bound', { ...subject, data: { after: bound } });
  return (await findPolicy(tx, organization_id, id)) ?? buildRefusal('NOT_FOUND');
};
