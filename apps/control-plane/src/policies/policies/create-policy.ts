import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { PolicyBinding } from '@svc/contract/policies/policies.ts';
import type { VersionFindings } from '@svc/contract/policies/versions.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { reachesBeyond } from '@svc/domain/policies/policies/binding-reach.ts';
import { currencyFault } from '@svc/domain/policies/versions/version-currency.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { readSurroundings } from '@svc/operations/policies/versions/read-surroundings.ts';
import { compileVersion } from '@svc/policy/judge/compile-version.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findPolicy, insertPolicy } from '@svc/postgres/policies/policies/policies.ts';
import { findBindingPlace, insertBinding } from '@svc/postgres/policies/policies/policy-bindings.ts';
import { insertPolicyVersion } from '@svc/postgres/policies/versions.ts';
import type { PoliciesDeps } from '../deps.ts';
import { versionFindings } from '../versions/findings/version-findings.ts';
import { type AskedVersion, askedVersion } from '../versions/reading/asked-version.ts';

type CreateCall = Call<Endpoints['createPolicy']>;
type Made = { readonly id: string; readonly version_id: string; readonly binding: PolicyBinding };

const bindingOf = (call: CreateCall): PolicyBinding => call.body.binding ?? { scope: 'ORGANIZATION', id: call.caller.organizationId };

const findingsOf = async (call: CreateCall, { name, body }: AskedVersion, { id, version_id, binding }: Made) => {
  const { organization_id } = call.scope;
  const targets = [{ scope: binding.scope, target_id: binding.id }];
  const { version, surroundings } = await readInTenant(call.database, call.scope, (tx) =>
    readSurroundings(tx, organization_id, targets, (baseCurrency) => {
      const { currency = baseCurrency } = call.body;
      return compileVersion({ policy_id: id, policy_name: name, version_id, version_number: 1, binding, currency, body });
    }),
  );
  return versionFindings(version, surroundings, call.now);
};

const savePolicy = (
  call: CreateCall,
  { name, description, body }: AskedVersion,
  { id, version_id, binding }: Made,
  findings: VersionFindings,
) => {
  const { organization_id } = call.scope;
  const { now } = call;
  return call.change(
    async ({ tx, emit }) => {
      const place = await findBindingPlace(tx, organization_id, binding);
      if (!place) return call.refuse('NOT_FOUND', 'The scope of the binding does not exist.');
      const { scope, id: target_id } = binding;
      await insertPolicy(tx, organization_id, { id, name, description, now });
      const written = call.body.currency === undefined ? {} : { currency: call.body.currency };
      const version = { id: version_id, policy_id: id, version_number: 1, status: 'DRAFT', body, ...written, now } as const;
      await insertPolicyVersion(tx, organization_id, { ...version, created_by: call.caller.actor.id });
      await insertBinding(tx, organization_id, { id: call.newId('policy_binding'), policy_id: id, scope, target_id, now });
      const it = about.policy({ id }, place);
      const { template } = call.body;
      const after = { name, description, version_id, version_number: 1, ...(template === undefined ? {} : { template }) };
      emit('policy.created', { ...it, data: { after } });
      emit('policy.bound', { ...it, data: { after: { scope, target_id } } });
      const policy = await findPolicy(tx, organization_id, id);
      return policy ? { ...policy, ...findings } : call.refuse('NOT_FOUND');
    },
    { policies_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'A policy with this name already exists.') },
  );
};

/** A policy with its first version, a draft: nothing binds until it is activated. */
export const createPolicy: Handler<Endpoints['createPolicy'], PoliciesDeps> = async (call) => {
  const binding = bindingOf(call);
  if (reachesBeyond(call.scope, binding.scope)) {
    return call.fault(
      '/binding',
      'This call is limited to a part of the organization; bind to a workspace, environment or agent inside it.',
    );
  }
  const asked = currencyFault(call.body.currency) ?? (await askedVersion(call));
  if (isRefusal(asked)) return asked;
  const made = { id: call.newId('policy'), version_id: call.newId('policy_version'), binding };
  return savePolicy(call, asked, made, await findingsOf(call, asked, made));
};
