import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/refusal.ts';
import type { Handler } from '@svc/http/call.ts';
import { findPolicy, touchPolicy } from '@svc/postgres/policies.ts';
import { findPolicyVersion, insertPolicyVersion } from '@svc/postgres/policy-versions.ts';
import type { ControlDeps } from '../deps.ts';
import { readVersionBody } from './read-version-body.ts';
import { takePolicy } from './take-policy.ts';

/** Saves a new draft on top of the newest version; what the body leaves out stays as it is there. */
export const updatePolicy: Handler<Endpoints['updatePolicy'], ControlDeps> = async (call) => {
  const { organization_id } = call.scope;
  const { name, description, rules, tests } = call.body;
  if (Object.keys(call.body).length === 0) return call.fault('', 'Name at least one member to change.');
  return call.change(
    async ({ tx, emit }) => {
      const policy = await takePolicy(tx, call.scope, call.params.policyId);
      if (isRefusal(policy)) return policy;
      const newest = await findPolicyVersion(tx, organization_id, policy.id, 'newest');
      if (!newest) throw new Error('a policy has no version');
      const body = readVersionBody(rules ?? newest.body.rules, tests ?? newest.body.tests);
      if (isRefusal(body)) return body;
      const version_id = call.newId('policy_version');
      const version_number = newest.version_number + 1;
      await insertPolicyVersion(tx, organization_id, {
        id: version_id,
        policy_id: policy.id,
        version_number,
        status: 'DRAFT',
        body,
        created_by: call.caller.actor.id,
        now: call.now,
      });
      const renamed = { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) };
      await touchPolicy(tx, organization_id, policy.id, { ...renamed, now: call.now });
      const before = Object.fromEntries(Object.keys(renamed).map((member) => [member, policy[member as keyof typeof renamed]]));
      emit('policy.updated', {
        subject: { type: 'policy', id: policy.id },
        ...policy.place,
        data: { before: { ...before, version_number: newest.version_number }, after: { ...renamed, version_id, version_number } },
      });
      return (await findPolicy(tx, organization_id, policy.id)) ?? call.refuse('NOT_FOUND');
    },
    { policies_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'A policy of this name exists already.') },
  );
};
