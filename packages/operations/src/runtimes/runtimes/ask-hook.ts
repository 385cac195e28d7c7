import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { HookRequest } from '@svc/contract/runtimes/runtime-hooks.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findRuntimeOfAgent, type HookedRuntime, insertHookRefusal } from '@svc/postgres/runtimes/runtimes/runtime-heartbeats.ts';
import { hookRefusal } from '@svc/runtimes/workflow-automation-managed/bundle/allowed-nodes.ts';

export type HookCaller = { readonly organizationId: string; readonly agentId: string; readonly runtimeId: string; readonly now: Date };

const HOUR_MS = 3_600_000;
const TYPES_MAX = 20;

/** Returns the managed runtime of the calling agent; NOT_FOUND for every other one. */
export const findManagedRuntime = async (
  { tx }: Pick<Change<never>, 'tx'>,
  { organizationId, agentId, runtimeId }: HookCaller,
): Promise<HookedRuntime | Refusal<'NOT_FOUND'>> => {
  const runtime = await findRuntimeOfAgent(tx, organizationId, runtimeId, agentId);
  return runtime?.kind === 'WORKFLOW_AUTOMATION_MANAGED' ? runtime : buildRefusal('NOT_FOUND');
};

/** Notes that a hook file was refused, with one event of a workflow and hour. */
const noteRefusal = async (
  { tx, emit }: Change<'security.destination_blocked'>,
  runtime: HookedRuntime,
  request: HookRequest,
  denied: { readonly reason: string; readonly types: readonly string[] },
  now: Date,
): Promise<void> => {
  const { organization_id, workspace_id, environment_id, id: runtime_id, name } = runtime;
  const subject = `${request.event} ${request.workflow_id ?? request.workflow_hash ?? request.credential_type ?? ''}`;
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  if (!(await insertHookRefusal(tx, { organization_id, workspace_id, environment_id, runtime_id, subject, hour }))) return;
  emit('security.destination_blocked', {
    ...about.runtime(runtime),
    data: {
      name,
      event: request.event,
      workflow_id: request.workflow_id ?? null,
      reason: denied.reason,
      types: denied.types.slice(0, TYPES_MAX),
    },
  });
};

type HookCode = 'NOT_FOUND' | 'AGENT_NOT_OPERATIONAL' | 'DESTINATION_BLOCKED';
export type HookDecision = { readonly permitted: true } | { readonly permitted: false; readonly because: Refusal<HookCode> };

const deny = (because: Refusal<HookCode>): HookDecision => ({ permitted: false, because });

/** Decides about a request of a hook file. A denial is a result, so that the event about it is committed before it is answered. */
export const askHook = async (
  change: Change<'security.destination_blocked'>,
  caller: HookCaller,
  request: HookRequest,
): Promise<HookDecision> => {
  const runtime = await findManagedRuntime(change, caller);
  if (isRefusal(runtime)) return deny(runtime);
  const { id: runtime_id, status: runtime_status, settings } = runtime;
  // A recovery creates test workflows, and so asks.
  if (runtime_status !== 'ACTIVE' && runtime_status !== 'RECOVERING')
    return deny(buildRefusal('AGENT_NOT_OPERATIONAL', 'The runtime is stopped.', { runtime_id, runtime_status }));
  const denied = hookRefusal(settings, request);
  if (denied === undefined) return { permitted: true };
  await noteRefusal(change, runtime, request, denied, caller.now);
  return deny(buildRefusal('DESTINATION_BLOCKED', denied.reason, { types: denied.types.slice(0, TYPES_MAX) }));
};
