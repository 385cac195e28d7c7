import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { updatePolicy as update } from '@svc/operations/policies/policies/update-policy.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findNewestVersionNumber } from '@svc/postgres/policies/versions.ts';
import type { PoliciesDeps } from '../deps.ts';
import { listVersionFindings } from '../versions/findings/version-findings.ts';

type UpdateCall = Call<Endpoints['updatePolicy']>;

/**
 * Returns the version that the change is based on. A caller that names none has seen the newest version at the time of the request: of two
 * concurrent changes of rules one is refused. A change of name or description alone never overwrites rules.
 */
const versionEdited = async ({ body, database, scope, params }: UpdateCall): Promise<number | undefined> => {
  const { rules, tests, expected_version } = body;
  if (expected_version !== undefined || (rules === undefined && tests === undefined)) return expected_version;
  return await readInTenant(database, scope, (tx) => findNewestVersionNumber(tx, scope.organization_id, params.policyId));
};

const saveVersion = (call: UpdateCall, edited: number | undefined) =>
  call.change((change) => update(change, { ...asActing(call), body: call.body, policyId: call.params.policyId }, edited), {
    policies_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'A policy with this name already exists.'),
  });

/** Saves a new draft on top of the newest version; omitted members keep their values. */
export const updatePolicy: Handler<Endpoints['updatePolicy'], PoliciesDeps> = async (call) => {
  const { expected_version: _, ...changes } = call.body;
  if (Object.keys(changes).length === 0) return call.fault('', 'Name at least one member to change.');
  const saved = await saveVersion(call, await versionEdited(call));
  return isRefusal(saved) ? saved : { ...saved.policy, ...(await listVersionFindings(saved.compiled, saved.surroundings, call.now)) };
};
