import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Environment } from '@svc/contract/tenancy/environments.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockEnvironment, updateEnvironment } from '@svc/postgres/tenancy/environments.ts';

export type Pausing = {
  readonly organizationId: string;
  readonly environmentId: string;
  readonly reason: string;
  readonly now: Date;
  /** Additional event data. */
  readonly more?: Readonly<Record<string, unknown>>;
};

/** Stops every agent of an environment. A trigger moves its epoch, so every gateway complies from the commit on. */
export const pauseEnvironment = async (
  { tx, emit }: Change<'environment.paused'>,
  { organizationId, environmentId, reason, now, more = {} }: Pausing,
): Promise<Environment | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION'>> => {
  const before = await lockEnvironment(tx, organizationId, environmentId);
  if (!before) return buildRefusal('NOT_FOUND');
  if (before.paused) {
    const details = { operation: 'pause', from: 'PAUSED', allowed_from: ['ACTIVE'] };
    return buildRefusal('INVALID_STATE_TRANSITION', 'The environment is already paused.', details);
  }
  const after = await updateEnvironment(tx, organizationId, before.id, { paused_at: now, paused_reason: reason }, now);
  const states = { before: { paused: false, paused_reason: null }, after: { paused: true, paused_reason: reason } };
  emit('environment.paused', { ...about.environment(before), data: { ...states, reason, ...more } });
  return after;
};
