import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { updatePolicy as update } from '@svc/operations/policies/policies/update-policy.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { newestVersionNumber } from '@svc/postgres/policies/versions.ts';
import type { PoliciesDeps } from '../deps.ts';
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
  call.change((change) => update(change, { ...asActing(call), body: call.body, policyId: call.params.policyId }, edited), {
    policies_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'A policy with this name already exists.'),
  });

/** Saves a new draft on top of the newest version; what the body leaves out stays as it is there. */
export const updatePolicy: Handler<Endpoints['updatePolicy'], PoliciesDeps> = async (call) => {
  const { expected_version: _, ...changes } = call.body;
  if (Object.keys(changes).length === 0) return call.fault('', 'Name at least one member to change.');
  const saved = await saveVersion(call, await versionEdited(call));
  return isRefusal(saved) ? saved : { ...saved.policy, ...(await versionFindings(saved.compiled, saved.surroundings, call.now)) };
};
