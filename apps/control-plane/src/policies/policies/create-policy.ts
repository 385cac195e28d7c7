import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { PolicyBinding } from '@svc/contract/policies/policies.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { reachesBeyond } from '@svc/domain/policies/policies/binding-reach.ts';
import { findCurrencyFault } from '@svc/domain/policies/versions/version-currency.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { createPolicy as create } from '@svc/operations/policies/policies/create-policy.ts';
import { readAnalysisContext } from '@svc/operations/policies/versions/read-surroundings.ts';
import { compileVersion } from '@svc/policy/judge/compile-version.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { PoliciesDeps } from '../deps.ts';
import { listVersionFindings } from '../versions/findings/version-findings.ts';
import { type RequestedVersion, resolveVersionContent } from '../versions/reading/requested-version.ts';

type CreateCall = Call<Endpoints['createPolicy']>;
type Made = { readonly id: string; readonly version_id: string; readonly binding: PolicyBinding };

const getBinding = (call: CreateCall): PolicyBinding => call.body.binding ?? { scope: 'ORGANIZATION', id: call.caller.organizationId };

const readFindings = async (call: CreateCall, { name, body }: RequestedVersion, { id, version_id, binding }: Made) => {
  const { organization_id } = call.scope;
  const targets = [{ scope: binding.scope, target_id: binding.id }];
  const { version, surroundings } = await readInTenant(call.database, call.scope, (tx) =>
    readAnalysisContext(tx, organization_id, targets, (baseCurrency) => {
      const { currency = baseCurrency } = call.body;
      return compileVersion({ policy_id: id, policy_name: name, version_id, version_number: 1, binding, currency, body });
    }),
  );
  return listVersionFindings(version, surroundings, call.now);
};

/** Creates a policy with its first version, a draft that decides nothing until it is activated. */
export const createPolicy: Handler<Endpoints['createPolicy'], PoliciesDeps> = async (call) => {
  const binding = getBinding(call);
  if (reachesBeyond(call.scope, binding.scope)) {
    return call.fault(
      '/binding',
      'This call is limited to a part of the organization; bind to a workspace, environment or agent inside it.',
    );
  }
  const asked = findCurrencyFault(call.body.currency) ?? (await resolveVersionContent(call));
  if (isRefusal(asked)) return asked;
  const made = { id: call.newId('policy'), version_id: call.newId('policy_version'), binding };
  const findings = await readFindings(call, asked, made);
  const { currency, template } = call.body;
  const request = { ...asActing(call), policyId: made.id, versionId: made.version_id, ...asked, currency, binding, template };
  return call.change(
    async (change) => {
      const policy = await create(change, request);
      return isRefusal(policy) ? policy : { ...policy, ...findings };
    },
    { policies_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'A policy with this name already exists.') },
  );
};
