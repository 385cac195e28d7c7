import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Heartbeat } from '@svc/contract/runtimes/runtime-hooks.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { upsertHeartbeat } from '@svc/postgres/runtimes/runtimes/runtime-heartbeats.ts';
import { findManagedRuntime, type HookCaller } from './ask-hook.ts';

/** Stores the newest heartbeat of a process of a managed runtime. */
export const reportHeartbeat = async (
  change: Pick<Change<never>, 'tx'>,
  caller: HookCaller,
  { process_id, hook_sha256, product_version, levers, probe }: Heartbeat,
): Promise<Refusal<'NOT_FOUND'> | { readonly received_at: string; readonly every_seconds: number }> => {
  const runtime = await findManagedRuntime(change, caller);
  if (isRefusal(runtime)) return runtime;
  const { organization_id, workspace_id, environment_id, id: runtime_id } = runtime;
  const tried = probe && {
    target: probe.target,
    result: probe.result,
    at: new Date(caller.now.getTime() - 1_000 * probe.age_seconds).toISOString(),
  };
  await upsertHeartbeat(
    change.tx,
    {
      ...{ organization_id, workspace_id, environment_id, runtime_id, process_id, hook_sha256, at: caller.now },
      ...{ product_version: product_version ?? null, levers: JSON.stringify(levers), probe: tried ? JSON.stringify(tried) : null },
    },
    LIMITS.runtimeHooks.processesMax,
  );
  return { received_at: caller.now.toISOString(), every_seconds: LIMITS.runtimeHooks.heartbeatSeconds };
};
