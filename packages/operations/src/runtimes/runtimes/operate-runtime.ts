import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import type { Operated } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import type { RuntimeStatus } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { updateAgentRow } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findRuntime, lockRuntime, updateRuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { openRun } from './verification/open-run.ts';

type Body = EndpointBody<Endpoints['operateRuntime']>;

const ALLOWED_FROM = {
  PAUSE: ['ACTIVE'],
  DISABLE: ['ACTIVE', 'PAUSED', 'RECOVERING'],
  RECOVER: ['PAUSED', 'DISABLED'],
} as const satisfies Readonly<Record<Body['operation'], readonly RuntimeStatus[]>>;
const STATUS_AFTER = { PAUSE: 'PAUSED', DISABLE: 'DISABLED', RECOVER: 'RECOVERING' } as const;

/**
 * Pauses, disables or recovers a runtime. The gateway refuses its agent from the commit on, whether or not the instance cooperates; a job
 * stops the instance and reads back what is active. Recovery lifts nothing: it starts a verification, and only its result makes the runtime
 * active.
 */
export const operateRuntime = async (
  { tx, emit }: Change<EmittedBy<Endpoints['operateRuntime']>>,
  { scope, actor, now, body, runtimeId }: CallContext & { readonly body: Body; readonly runtimeId: string },
  runId: string,
) => {
  const { organization_id } = scope;
  const runtime = await lockRuntime(tx, organization_id, runtimeId);
  if (!runtime) return buildRefusal('NOT_FOUND');
  const { operation, reason } = body;
  const allowed: readonly RuntimeStatus[] = ALLOWED_FROM[operation];
  if (!allowed.includes(runtime.status)) {
    const details = { operation, from: runtime.status, allowed_from: allowed };
    return buildRefusal('INVALID_STATE_TRANSITION', `A runtime is not changed from ${runtime.status} by ${operation}.`, details);
  }
  const reaches = runtime.admin_access === 'OPERATE' && runtime.credential_id !== null;
  const isStop = operation !== 'RECOVER';
  const reactivates = operation === 'RECOVER' && body.reactivate === true;
  const operated: Operated = {
    ...{ operation: reactivates ? 'RECOVER_AND_REACTIVATE' : operation, reason, by: actor.id, at: now.toISOString() },
    instance: reaches && isStop ? 'PENDING' : 'NOT_REQUESTED',
    deactivated: runtime.operated?.deactivated ?? [],
    not_applied: [],
  };
  await updateRuntimeRow(tx, organization_id, runtimeId, {
    ...{ status: STATUS_AFTER[operation], operated: JSON.stringify(operated), updated_at: now },
    operate_due_at: reaches && isStop ? now : null,
  });
  if (operation === 'DISABLE' && runtime.agent_id !== null)
    await updateAgentRow(tx, organization_id, runtime.agent_id, { killsSessions: true }, now);
  emit('security.emergency_action_executed', {
    ...about.runtime(runtime),
    data: {
      ...{ control: `runtime.${operation.toLowerCase()}`, operation, name: runtime.name, reason, agent_id: runtime.agent_id },
      ...{ before: { status: runtime.status }, after: { status: STATUS_AFTER[operation] }, instance: operated.instance },
    },
  });
  const run =
    operation === 'RECOVER' ? await openRun(tx, runtime, { id: runId, trigger: 'RECOVER', canaries: true, by: actor.id, now }) : null;
  const after = await findRuntime(tx, organization_id, runtimeId);
  return after ? { runtime: after, run, instance: operated.instance as 'PENDING' | 'NOT_REQUESTED' } : buildRefusal('NOT_FOUND');
};
