import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findRuntime, lockRuntime, updateRuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { findRunUnderWay, insertAssessment, updateRun } from '@svc/postgres/runtimes/runtimes/verification-runs.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { eraseApiKey } from './store-api-key.ts';

type DisconnectRequest = CallContext & {
  readonly runtimeId: string;
  readonly body: EndpointBody<Endpoints['disconnectRuntime']> | undefined;
};

const NO_REASON = 'Disconnected.';

/** Ends the access to a runtime and erases its API key. With `fail_closed` its agent is refused until it is unbound. */
export const disconnectRuntime = async (
  change: Change<EmittedBy<Endpoints['disconnectRuntime']>>,
  { scope, actor, now, runtimeId, body }: DisconnectRequest,
) => {
  const { tx, emit } = change;
  const { organization_id } = scope;
  const runtime = await lockRuntime(tx, organization_id, runtimeId);
  if (!runtime) return buildRefusal('NOT_FOUND');
  if (runtime.status === 'DISCONNECTED') return buildRefusal('INVALID_STATE_TRANSITION', 'The runtime is disconnected already.');
  const reason = body?.reason ?? NO_REASON;
  if (runtime.credential_id !== null) await eraseApiKey(change, { scope, actor, now }, runtime.credential_id, reason);
  const run = await findRunUnderWay(tx, { organization_id, runtime_id: runtimeId });
  if (run) await updateRun(tx, organization_id, run.id, { state: 'ABANDONED', ended_at: now, failure: 'The runtime was disconnected.' });
  await updateRuntimeRow(tx, organization_id, runtimeId, {
    ...{
      status: 'DISCONNECTED',
      credential_id: null,
      health: 'UNKNOWN',
      health_detail: 'Disconnected.',
      key_facts: null,
      enforcement: 'UNKNOWN',
    },
    ...{ evidence_since: now, next_verification_at: null, falls_at: null, operate_due_at: null, assessed_at: now, updated_at: now },
  });
  emit('integration.updated', {
    ...about.runtime(runtime),
    severity: 'warning',
    data: {
      name: runtime.name,
      before: { status: runtime.status, credential_id: runtime.credential_id },
      after: { status: 'DISCONNECTED', credential_id: null },
      reason,
    },
  });
  if (runtime.enforcement !== 'UNKNOWN') {
    const reasons = [{ at_most: 'UNKNOWN' as const, why: 'The runtime is disconnected.' }];
    const { workspace_id, environment_id, enforcement: before } = runtime;
    await insertAssessment(tx, {
      ...{ organization_id, workspace_id, environment_id, runtime_id: runtimeId, at: now, before, status: 'UNKNOWN', cause: 'CHANGED' },
      reasons: JSON.stringify(reasons),
    });
    const data = { name: runtime.name, enforcement: { from: before, to: 'UNKNOWN' }, cause: 'CHANGED', reasons };
    emit('compliance.control_updated', { ...about.runtime(runtime), severity: 'warning', data });
  }
  return (await findRuntime(tx, organization_id, runtimeId)) ?? buildRefusal('NOT_FOUND');
};
