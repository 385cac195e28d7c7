import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { MODES, type Mode } from '@svc/contract/tables/vocabulary.ts';
import type { Environment } from '@svc/contract/tenancy/environments.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockEnvironment, updateEnvironment } from '@svc/postgres/tenancy/environments.ts';

export type SettingMode = {
  readonly organizationId: string;
  readonly environmentId: string;
  readonly mode: Mode;
  readonly reason: string | undefined;
  /** Refuses a caller who may not reduce enforcement; undefined for one who may. Called only if it is reduced. */
  readonly refuseReducing: () => Refusal<'STEP_UP_REQUIRED'> | undefined;
  readonly now: Date;
};

/** Sets the enforcement mode of an environment. Reducing it needs a step-up and a reason, and is recorded as critical. */
export const setMode = async (
  { tx, emit }: Change<'environment.mode_changed'>,
  { organizationId, environmentId, mode, reason, refuseReducing, now }: SettingMode,
): Promise<Environment | Refusal<'NOT_FOUND' | 'STEP_UP_REQUIRED' | 'VALIDATION_FAILED'>> => {
  const before = await lockEnvironment(tx, organizationId, environmentId);
  if (!before) return buildRefusal('NOT_FOUND');
  if (before.mode === mode) return before;
  // Modes are listed from the least to the most enforcing.
  const reducing = MODES.indexOf(mode) < MODES.indexOf(before.mode);
  const refused = reducing ? refuseReducing() : undefined;
  if (refused) return refused;
  if (reducing && reason === undefined) {
    const faults = [{ pointer: '/reason', message: 'Reducing enforcement requires a reason.' }];
    return buildRefusal('VALIDATION_FAILED', 'Reducing enforcement requires a reason.', { faults });
  }
  const after = await updateEnvironment(tx, organizationId, before.id, { mode }, now);
  emit('environment.mode_changed', {
    ...about.environment(before),
    ...(reducing ? { severity: 'critical' as const } : {}),
    data: { before: { mode: before.mode }, after: { mode }, reason: reason ?? null },
  });
  return after;
};
