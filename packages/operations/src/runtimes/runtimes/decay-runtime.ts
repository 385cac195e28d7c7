import type { Change } from '@svc/postgres/change/change.ts';
import { lockRuntime } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { assessRuntime } from './assess-runtime.ts';

/** Stores the assessment of a runtime whose evidence became too old. Readers already used the lower status. */
export const decayRuntime = async (
  change: Change<'compliance.control_updated'>,
  organizationId: string,
  runtimeId: string,
  now: Date,
): Promise<void> => {
  const runtime = await lockRuntime(change.tx, organizationId, runtimeId);
  if (!runtime || runtime.falls_at === null || Date.parse(runtime.falls_at) > now.getTime()) return;
  await assessRuntime(change, runtime, { now, cause: 'DECAYED' });
};
