import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { versionCurrency } from '@svc/domain/policies/versions/version-currency.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { takePolicy } from '@svc/operations/policies/policies/take-policy.ts';
import { asPolicySource } from '@svc/operations/policies/versions/as-policy-source.ts';
import { readVersionBody } from '@svc/operations/policies/versions/read-version-body.ts';
import { type CompiledVersion, compileVersion } from '@svc/policy/judge/compile-version.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findPolicy, touchPolicy } from '@svc/postgres/policies/policies/policies.ts';
import { findPolicyVersion, insertPolicyVersion, newestVersionNumber } from '@svc/postgres/policies/versions.ts';
import { readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import type { ControlDeps } from '../../deps.ts';
import { readSurroundings } from '../versions/findings/read-surroundings.ts';
import { versionConflict } from '../versions/findings/version-conflict.ts';
import { versionFindings } from '../versions/findings/version-findings.ts';

type UpdateCall = Call<Endpoints['updatePolicy']>;

/**
 * The version that the change was made on. Who names none can have seen none newer than what was there when the request came: of two who
 * send rules at the same moment one learns of the other. A name or a description alone undoes nobody's rules.
 */
const versionEdited = async ({ body, database, scope, params }: UpdateCall): Promise<number | undefined> => {
  const { rules, tests, expected_version } = body;
  if (expected_version !== undefined || (rules === undefined && tests === undefined)) return expected_version;
  return await readInTenant(database, scope, (tx) => newestVersionNumber(tx, scope.organization_id, params.policyId));
};

const saveVersion = (call: UpdateCall, edited: number | undefined) =>
  call.change(
    async ({ tx, emit }) => {
      const { organization_id } = call.scope;
      const { name, description, rules, tests } = call.body;
      const policy = await takePolicy(tx, call.scope, call.params.policyId);
      if (isRefusal(policy)) return policy;
      const newest = await findPolicyVersion(tx, organization_id, policy.id, 'newest');
      if (!newest) throw new Error('a policy has no version');
      const conflict = await versionConflict(tx, organization_id, policy.id, newest, edited);
      if (conflict) return conflict;
      const body = readVersionBody(rules ?? newest.body.rules, tests ?? newest.body.tests);
      if (isRefusal(body)) return body;
      const { base_currency: baseCurrency } = await readOrganization(tx, organization_id);
      const currency = versionCurrency(call.body, body, { currency: newest.currency, baseCurrency });
      if (isRefusal(currency)) return currency;
      const version = { id: call.newId('policy_version'), version_number: newest.version_number + 1, currency, body };
      const saved = { ...version, policy_id: policy.id, status: 'DRAFT', created_by: call.caller.actor.id, now: call.now } as const;
      await insertPolicyVersion(tx, organization_id, saved);
      const renamed = { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) };
      await touchPolicy(tx, organization_id, policy.id, { ...renamed, now: call.now });
      const before = Object.fromEntries(Object.keys(renamed).map((member) => [member, policy[member as keyof typeof renamed]]));
      emit('policy.updated', {
        ...about.policy(policy, policy.place),
        data: {
          before: { ...before, version_number: newest.version_number },
          after: { ...renamed, version_id: version.id, version_number: version.version_number },
        },
      });
      const found = await findPolicy(tx, organization_id, policy.id);
      if (!found) return call.refuse('NOT_FOUND');
      const compiled: CompiledVersion = compileVersion(asPolicySource(policy, version));
      const { surroundings } = await readSurroundings(tx, organization_id, policy.bindings, () => compiled);
      return { policy: found, compiled, surroundings };
    },
    { policies_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'A policy with this name already exists.') },
  );

/** Saves a new draft on top of the newest version; what the body leaves out stays as it is there. */
export const updatePolicy: Handler<Endpoints['updatePolicy'], ControlDeps> = async (call) => {
  const { expected_version: _, ...changes } = call.body;
  if (Object.keys(changes).length === 0) return call.fault('', 'Send at least one member to change.');
  const saved = await saveVersion(call, await versionEdited(call));
  return isRefusal(saved) ? saved : { ...saved.policy, ...(await versionFindings(saved.compiled, saved.surroundings, call.now)) };
};
