import type { Change } from '@svc/postgres/change/change.ts';
import { lockRuntime } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { assessRuntime } from './assess-runtime.ts';
import { refreshHook } from './observed-evidence.ts';
import type { PlaneUrls } from './plane-urls.ts';

/** Stores the assessment of a runtime whose evidence became too old, or whose hook file reports. Readers already used the lower status. */
export const decayRuntime = async (
  change: Change<'compliance.control_updated'>,
  organizationId: string,
  runtimeId: string,
  now: Date,
  urls: PlaneUrls,
): Promise<void> => {
  const runtime = await lockRuntime(change.tx, organizationId, runtimeId);
  if (!runtime || runtime.falls_at === null || Date.parse(runtime.falls_at) > now.getTime()) return;
  const hooked = await refreshHook(change.tx, runtime, urls, now);
  await assessRuntime(change, hooked.runtime, { now, cause: 'DECAYED' });
};
