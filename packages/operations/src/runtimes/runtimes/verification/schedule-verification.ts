import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { lockRuntime } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import { openRun } from './open-run.ts';

/** Opens the run of a runtime whose next verification is due. */
export const scheduleVerification = async (tx: TenantTransaction, organizationId: string, runtimeId: string, now: Date): Promise<void> => {
  const runtime = await lockRuntime(tx, organizationId, runtimeId);
  if (!runtime || runtime.next_verification_at === null || Date.parse(runtime.next_verification_at) > now.getTime()) return;
  await openRun(tx, runtime, { id: newId('verification_run'), trigger: 'SCHEDULED', canaries: true, by: 'system', now });
};
