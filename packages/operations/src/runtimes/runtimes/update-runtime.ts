import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { loosensRuntime } from '@svc/domain/runtimes/runtimes/loosens-runtime.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findRuntime, lockRuntime, type RuntimeRow, updateRuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { RUNTIME_KIND_ROWS } from '@svc/runtimes/kinds.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { hasFreshStepUp, stepUpRefusal } from '../../people/auth/step-up.ts';
import { assessRuntime } from './assess-runtime.ts';
import { findAgentFault } from './register-runtime.ts';
import { eraseApiKey } from './store-api-key.ts';
import { findBaseUrlFault, getNormalBaseUrl } from './url-fault.ts';

type Body = EndpointBody<Endpoints['updateRuntime']>;
type UpdateRequest = CallContext & { readonly body: Body; readonly runtimeId: string; readonly steppedUpUntil: string | null };

const audited = ({ name, agent_id, base_url, fail_closed, admin_access, settings, credential_id }: RuntimeRow) => ({
  ...{ name, agent_id, base_url, fail_closed, admin_access, settings, credential_id },
});

const bodyRefusal = ({ kind }: RuntimeRow, { base_url, admin_access }: Body) => {
  const row = RUNTIME_KIND_ROWS[kind];
  if (base_url !== undefined && row.inspection.by !== 'instance')
    return refuseBody('/base_url', 'is for kinds that the service connects to');
  const fault = base_url === undefined ? undefined : findBaseUrlFault(base_url);
  if (fault !== undefined) return refuseBody('/base_url', fault);
  if (row.refusesAccess !== undefined && admin_access === row.refusesAccess)
    return refuseBody('/admin_access', 'does not permit verification, which this kind needs');
  return undefined;
};

/** A key is only sent to the host that it was given for. */
const MOVED = { credential_id: null, health: 'UNKNOWN', health_detail: 'The address changed.', health_at: null, key_facts: null } as const;

/**
 * Changes a runtime. Another address erases the API key and voids the evidence. A change that weakens enforcement needs a step-up. A taken
 * name violates `runtimes_name_is_unique`.
 */
export const updateRuntime = async (change: Change<EmittedBy<Endpoints['updateRuntime']>>, request: UpdateRequest) => {
  const { tx, emit } = change;
  const { scope, now, body, runtimeId } = request;
  const { organization_id } = scope;
  const runtime = await lockRuntime(tx, organization_id, runtimeId);
  if (!runtime) return buildRefusal('NOT_FOUND');
  const invalid = bodyRefusal(runtime, body);
  if (invalid) return invalid;
  const {
    agent_id = runtime.agent_id,
    fail_closed = runtime.fail_closed,
    admin_access = runtime.admin_access,
    settings = runtime.settings,
  } = body;
  const after = { agent_id, fail_closed, admin_access, settings };
  if (loosensRuntime(runtime, after) && !hasFreshStepUp(request, now)) return stepUpRefusal(request);
  const unusable = agent_id === runtime.agent_id ? undefined : await findAgentFault(tx, organization_id, agent_id, runtime.environment_id);
  if (unusable) return unusable;
  const base_url = body.base_url === undefined ? runtime.base_url : getNormalBaseUrl(body.base_url);
  const isMoved = base_url !== runtime.base_url;
  if (isMoved && runtime.credential_id !== null)
    await eraseApiKey(change, request, runtime.credential_id, 'The address of the runtime changed.');
  await updateRuntimeRow(tx, organization_id, runtimeId, {
    ...{
      name: body.name ?? runtime.name,
      base_url,
      agent_id,
      fail_closed,
      admin_access,
      settings: JSON.stringify(settings),
      updated_at: now,
    },
    ...(isMoved ? { ...MOVED, evidence_since: now, next_verification_at: null } : {}),
  });
  const changed = await lockRuntime(tx, organization_id, runtimeId);
  if (!changed) return buildRefusal('NOT_FOUND');
  emit('integration.updated', {
    ...about.runtime(runtime),
    data: { name: changed.name, before: audited(runtime), after: audited(changed) },
  });
  // The settings decide the lifetime of evidence and what counts as governed.
  if (isMoved || body.settings !== undefined) await assessRuntime(change, changed, { now, cause: 'CHANGED' });
  return (await findRuntime(tx, organization_id, runtimeId)) ?? buildRefusal('NOT_FOUND');
};
