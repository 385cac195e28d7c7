import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Heartbeat } from '@svc/contract/runtimes/runtime-hooks.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findNonces, upsertHeartbeat } from '@svc/postgres/runtimes/runtimes/runtime-heartbeats.ts';
import { hookProof } from '@svc/runtimes/workflow-automation-managed/bundle/hook-file.ts';
import { findManagedRuntime, type HookCaller } from './ask-hook.ts';

/** Returns true if a heartbeat answers a nonce with the content of the hook file; null if the process has none to answer. */
const readProof = ({ nonce, hook_proof }: Heartbeat, issued: readonly string[]): boolean | null => {
  if (issued.length === 0) return null;
  return nonce !== undefined && issued.includes(nonce) && hook_proof === hookProof(nonce);
};

/** Stores the newest heartbeat of a process of a managed runtime. `nonce` is new, and the next heartbeat answers it. */
export const reportHeartbeat = async (
  change: Pick<Change<never>, 'tx'>,
  caller: HookCaller,
  body: Heartbeat,
  nonce: string,
): Promise<Refusal<'NOT_FOUND'> | { readonly received_at: string; readonly every_seconds: number; readonly nonce: string }> => {
  const { process_id, hook_sha256, node_sha256, product_version, levers, probe } = body;
  const runtime = await findManagedRuntime(change, caller);
  if (isRefusal(runtime)) return runtime;
  const { organization_id, workspace_id, environment_id, id: runtime_id } = runtime;
  const tried = probe && {
    target: probe.target,
    result: probe.result,
    at: new Date(caller.now.getTime() - 1_000 * probe.age_seconds).toISOString(),
  };
  const issued = await findNonces(change.tx, { organization_id, runtime_id }, process_id);
  await upsertHeartbeat(
    change.tx,
    {
      ...{ organization_id, workspace_id, environment_id, runtime_id, process_id, hook_sha256, at: caller.now },
      ...{ node_sha256: node_sha256 ?? null, nonce, previous_nonce: issued[0] ?? null, proven: readProof(body, issued) },
      ...{ product_version: product_version ?? null, levers: JSON.stringify(levers), probe: tried ? JSON.stringify(tried) : null },
    },
    LIMITS.runtimeHooks.processesMax,
  );
  return { received_at: caller.now.toISOString(), every_seconds: LIMITS.runtimeHooks.heartbeatSeconds, nonce };
};
