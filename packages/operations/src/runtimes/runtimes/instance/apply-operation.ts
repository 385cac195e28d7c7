import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Operated } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockRuntime, type RuntimeRow, updateRuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import type { Stopped } from '@svc/runtimes/kind.ts';
import { RUNTIME_KIND_ROWS } from '@svc/runtimes/kinds.ts';
import { assessRuntime } from '../assess-runtime.ts';
import { noteUnapplied } from '../findings/note-unapplied.ts';
import { leaseApiKey, newSender, openProof } from './open-instance.ts';
import type { InstanceDeps } from './test-runtime.ts';

type Emitted = 'integration.updated' | 'credential.issued' | 'compliance.control_updated';
type Changing = <Result>(work: (change: Change<Emitted>) => Promise<Result>) => Promise<Result | Refusal>;

/** Intervals of further checks, since people can activate workflows again. */
const CHECKS_MS = { soon: 60_000, later: 300_000 } as const;
const LEASE_MS = 120_000;
/** Time for the instance to stop, and for a clock that differs from ours. */
const QUIET_MS = 2 * LIMITS.runtimes.clockDifferenceMaxMs;

const begin = (changing: Changing, organizationId: string, runtimeId: string, now: Date, { credentialKey }: InstanceDeps) =>
  changing(async (change) => {
    const runtime = await lockRuntime(change.tx, organizationId, runtimeId);
    if (!runtime?.operated || runtime.operate_due_at === null || Date.parse(runtime.operate_due_at) > now.getTime())
      return buildRefusal('NOT_FOUND');
    await updateRuntimeRow(change.tx, organizationId, runtimeId, { operate_due_at: new Date(now.getTime() + LEASE_MS) });
    return leaseApiKey(change, runtime, 'RUNTIME_OPERATION', credentialKey);
  });

/** Returns the time after which nothing may start, once an operation had time to take effect and clocks may differ. */
const getQuietTime = ({ operated }: RuntimeRow, now: Date): Date | null => {
  const at = Date.parse(operated?.at ?? '') + QUIET_MS;
  return Number.isNaN(at) || at > now.getTime() ? null : new Date(at);
};

const isStopping = ({ status }: RuntimeRow): boolean => status === 'PAUSED' || status === 'DISABLED' || status === 'RECOVERING';

const keep = async (change: Change<Emitted>, before: RuntimeRow, stopped: Stopped, now: Date): Promise<null> => {
  const { organization_id, id } = before;
  const runtime = await lockRuntime(change.tx, organization_id, id);
  // Another operation was made meanwhile.
  if (!runtime?.operated || runtime.operated.at !== before.operated?.at || runtime.status !== before.status) return null;
  const isStop = isStopping(runtime);
  const deactivated = isStop ? [...new Set([...runtime.operated.deactivated, ...stopped.deactivated])] : [...stopped.deactivated];
  const operated: Operated = { ...runtime.operated, instance: stopped.instance, deactivated, not_applied: [...stopped.not_applied] };
  const again = stopped.instance === 'CONFIRMED' ? CHECKS_MS.later : CHECKS_MS.soon;
  await updateRuntimeRow(change.tx, organization_id, id, {
    operated: JSON.stringify(operated),
    operate_due_at: isStop || stopped.instance === 'UNREACHABLE' ? new Date(now.getTime() + again) : null,
    updated_at: now,
  });
  if (stopped.instance !== runtime.operated.instance) {
    change.emit('integration.updated', {
      ...about.runtime(runtime),
      ...(stopped.instance === 'CONFIRMED' ? {} : { severity: 'critical' as const }),
      data: { name: runtime.name, operation: operated.operation, instance: stopped.instance, not_applied: stopped.not_applied },
    });
  }
  if (isStop && stopped.instance === 'NOT_APPLIED') {
    await noteUnapplied(change.tx, runtime, stopped.not_applied, now);
    await assessRuntime(change, runtime, { now, cause: 'OPERATED' });
  }
  return null;
};

/** Applies the operation of a runtime at its instance, and trusts only what is read back. */
export const applyOperation = async (
  changing: Changing,
  organizationId: string,
  runtimeId: string,
  now: Date,
  deps: InstanceDeps,
): Promise<void> => {
  const opened = await begin(changing, organizationId, runtimeId, now, deps);
  if (isRefusal(opened)) return;
  const proof = openProof(opened);
  const { runtime } = opened;
  const { inspection } = RUNTIME_KIND_ROWS[runtime.kind];
  if (isRefusal(proof) || inspection.by !== 'instance') return;
  const send = newSender({ egress: deps.egress, proof, runtime }, async () => undefined);
  const stopped = isStopping(runtime)
    ? await inspection.driver.stop(send, { stopsRuns: runtime.status === 'DISABLED', quietSince: getQuietTime(runtime, now) })
    : await inspection.driver.start(send, runtime.operated?.deactivated ?? []);
  await changing((change) => keep(change, runtime, stopped, now));
};
