import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { PolicyBinding } from '@svc/contract/policies.ts';
import { isRefusal } from '@svc/contract/refusal.ts';
import { reachesBeyond } from '@svc/domain/policies/binding-reach.ts';
import type { Call, Handler } from '@svc/http/call.ts';
import { findPolicy, insertPolicy } from '@svc/postgres/policies.ts';
import { findBindingPlace, insertBinding } from '@svc/postgres/policy-bindings.ts';
import { insertPolicyVersion } from '@svc/postgres/policy-versions.ts';
import type { ControlDeps } from '../deps.ts';
import { readVersionBody } from './read-version-body.ts';

const bindingOf = (call: Call<Endpoints['createPolicy']>): PolicyBinding =>
  call.body.binding ?? { scope: 'ORGANIZATION', id: call.caller.organizationId };

/** A policy with its first version, a draft: nothing binds until it is activated. */
export const createPolicy: Handler<Endpoints['createPolicy'], ControlDeps> = async (call) => {
  const { organization_id } = call.scope;
  const { name, description = '', rules, tests = [] } = call.body;
  const binding = bindingOf(call);
  if (reachesBeyond(call.scope, binding.scope)) {
    return call.fault(
      '/binding',
      'This call is limited to a part of the organization; bind to a workspace, environment or agent inside it.',
    );
  }
  const body = readVersionBody(rules, tests);
  if (isRefusal(body)) return body;
  const id = call.newId('policy');
  const version_id = call.newId('policy_version');
  return call.change(
    async ({ tx, emit }) => {
      const place = await findBindingPlace(tx, organization_id, binding);
      if (!place) return call.refuse('NOT_FOUND', 'The binding names nothing that is here.');
      const { scope, id: target_id } = binding;
      await insertPolicy(tx, organization_id, { id, name, description, now: call.now });
      await insertPolicyVersion(tx, organization_id, {
        id: version_id,
        policy_id: id,
        version_number: 1,
        status: 'DRAFT',
        body,
        created_by: call.caller.actor.id,
        now: call.now,
      });
      await insertBinding(tx, organization_id, { id: call.newId('policy_binding'), policy_id: id, scope, target_id, now: call.now });
      const subject = { type: 'policy', id };
      emit('policy.created', { subject, ...place, data: { after: { name, description, version_id, version_number: 1 } } });
      emit('policy.bound', { subject, ...place, data: { after: { scope, target_id } } });
      return (await findPolicy(tx, organization_id, id)) ?? call.refuse('NOT_FOUND');
    },
    { policies_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'A policy of this name exists already.') },
  );
};
