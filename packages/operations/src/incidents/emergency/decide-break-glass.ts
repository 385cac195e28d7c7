import type { BreakGlassGrant, BreakGlassMode, BreakGlassSettings } from '@svc/contract/incidents/emergency/break-glass.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { getBreakGlassStatus } from '@svc/domain/incidents/emergency/break-glass.ts';
import { reachesBeyond } from '@svc/domain/policies/policies/binding-reach.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import {
  findBreakGlassSettings,
  type GrantRow,
  lockGrant,
  lockOpenGrants,
  putBreakGlassSettings,
  takeGrantTurn,
  updateGrant,
} from '@svc/postgres/incidents/emergency/break-glass.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { asBreakGlass, formatGrantForAudit } from './as-break-glass.ts';

type Decision = CallContext & {
  readonly grantId: string;
  readonly reason: string;
  /** True if the caller acts under a grant. */
  readonly isUnderGrant: boolean;
};

const MINUTE_MS = 60_000;
const OWN = 'Another person must decide about your own emergency access.';
const BORROWED = 'Emergency access does not decide about emergency access.';
const WHOLE = 'Emergency access holds in the whole organization, so only a caller of the whole organization decides about it.';

const wrongStatus = (operation: string, from: string, allowed: readonly string[]): Refusal<'INVALID_STATE_TRANSITION'> =>
  buildRefusal('INVALID_STATE_TRANSITION', `The status of the grant is ${from}.`, { operation, from, allowed_from: allowed });

const takeGrant = async (
  { tx }: Change<never>,
  { scope, actor, grantId, isUnderGrant }: Omit<Decision, 'reason'>,
): Promise<GrantRow | Refusal<'NOT_FOUND' | 'PERMISSION_DENIED'>> => {
  await takeGrantTurn(tx, scope.organization_id);
  const grant = await lockGrant(tx, scope.organization_id, grantId);
  if (!grant) return buildRefusal('NOT_FOUND');
  if (reachesBeyond(scope, 'ORGANIZATION')) return buildRefusal('PERMISSION_DENIED', WHOLE);
  if (actor.type !== 'USER' || grant.user_id === actor.id) return buildRefusal('PERMISSION_DENIED', OWN);
  return isUnderGrant ? buildRefusal('PERMISSION_DENIED', BORROWED) : grant;
};

/** Approves a request, or reviews a grant that its holder took alone. Never by the holder, and never under a grant. */
export const approveBreakGlass = async (
  change: Change<'security.break_glass_granted' | 'emergency.access_updated' | 'emergency.drill_completed'>,
  decision: Decision,
): Promise<BreakGlassGrant | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION' | 'PERMISSION_DENIED'>> => {
  const { tx, emit } = change;
  const { actor, now, reason } = decision;
  const grant = await takeGrant(change, decision);
  if (isRefusal(grant)) return grant;
  if (grant.mode === 'SELF_WITH_NOTICE' && !grant.drill) {
    if (grant.reviewed_by !== null) return wrongStatus('approve', 'REVIEWED', ['ACTIVE', 'ENDED']);
    const reviewed = await updateGrant(tx, grant, { reviewed_by: actor.id, reviewed_at: now });
    emit('emergency.access_updated', {
      ...about.break_glass_grant(reviewed),
      data: { ...formatGrantForAudit(reviewed), change: 'reviewed', note: reason },
    });
    return asBreakGlass(reviewed, now);
  }
  const status = getBreakGlassStatus(grant, now.getTime());
  if (status !== 'PENDING') return wrongStatus('approve', status, ['PENDING']);
  const decided = { decided_by: actor.id, decided_at: now };
  if (grant.drill) {
    const drilled = await updateGrant(tx, grant, { status: 'ENDED', ended_at: now, ...decided });
    emit('emergency.drill_completed', { ...about.break_glass_grant(drilled), data: { ...formatGrantForAudit(drilled), note: reason } });
    return asBreakGlass(drilled, now);
  }
  const expires_at = new Date(now.getTime() + grant.minutes * MINUTE_MS);
  const approved = await updateGrant(tx, grant, { status: 'ACTIVE', ...decided, expires_at });
  emit('security.break_glass_granted', { ...about.break_glass_grant(approved), data: { ...formatGrantForAudit(approved), note: reason } });
  return asBreakGlass(approved, now);
};

/** Denies a request. */
export const denyBreakGlass = async (
  change: Change<'emergency.access_updated'>,
  decision: Decision,
): Promise<BreakGlassGrant | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION' | 'PERMISSION_DENIED'>> => {
  const { tx, emit } = change;
  const { actor, now, reason } = decision;
  const grant = await takeGrant(change, decision);
  if (isRefusal(grant)) return grant;
  const status = getBreakGlassStatus(grant, now.getTime());
  if (status !== 'PENDING') return wrongStatus('deny', status, ['PENDING']);
  const denied = await updateGrant(tx, grant, { status: 'DENIED', decided_by: actor.id, decided_at: now });
  emit('emergency.access_updated', {
    ...about.break_glass_grant(denied),
    data: { ...formatGrantForAudit(denied), change: 'denied', note: reason },
  });
  return asBreakGlass(denied, now);
};

/** Ends a grant or a request early. */
export const endBreakGlass = async (
  { tx, emit }: Change<'security.break_glass_expired' | 'emergency.access_updated'>,
  {
    scope,
    actor,
    now,
    grantId,
    reason,
    mayEndOthers,
  }: CallContext & { readonly grantId: string; readonly reason: string; readonly mayEndOthers: boolean },
): Promise<BreakGlassGrant | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION' | 'PERMISSION_DENIED'>> => {
  await takeGrantTurn(tx, scope.organization_id);
  const grant = await lockGrant(tx, scope.organization_id, grantId);
  if (!grant) return buildRefusal('NOT_FOUND');
  if (grant.user_id !== actor.id && !mayEndOthers) return buildRefusal('PERMISSION_DENIED', undefined, { permission: 'emergency:execute' });
  const status = getBreakGlassStatus(grant, now.getTime());
  if (status !== 'PENDING' && status !== 'ACTIVE') return wrongStatus('end', status, ['PENDING', 'ACTIVE']);
  const ended = await updateGrant(tx, grant, { status: 'ENDED', ended_at: now, ended_by: actor.id });
  const data = { ...formatGrantForAudit(ended), note: reason };
  if (status === 'ACTIVE') emit('security.break_glass_expired', { ...about.break_glass_grant(ended), data: { ...data, ended: 'PERSON' } });
  else emit('emergency.access_updated', { ...about.break_glass_grant(ended), data: { ...data, change: 'withdrawn' } });
  return asBreakGlass(ended, now);
};

/** Records the end of expired grants. Requests compare the time themselves and do not depend on it. */
export const recordEndedGrants = async (
  { tx, emit }: Change<'security.break_glass_expired'>,
  organizationId: string,
  now: Date,
): Promise<boolean> => {
  await takeGrantTurn(tx, organizationId);
  for (const grant of await lockOpenGrants(tx, organizationId)) {
    if (grant.status !== 'ACTIVE' || getBreakGlassStatus(grant, now.getTime()) === 'ACTIVE') continue;
    await updateGrant(tx, grant, { status: 'ENDED', ended_at: grant.expires_at });
    emit('security.break_glass_expired', { ...about.break_glass_grant(grant), data: { ...formatGrantForAudit(grant), ended: 'TIME' } });
  }
  return false;
};

/** Sets the organization's rule for emergency access. */
export const updateBreakGlassSettings = async (
  { tx, emit }: Change<'emergency.access_updated'>,
  { scope, actor, now, mode, reason }: CallContext & { readonly mode: BreakGlassMode; readonly reason: string },
): Promise<BreakGlassSettings | Refusal<'PERMISSION_DENIED'>> => {
  const { organization_id } = scope;
  if (reachesBeyond(scope, 'ORGANIZATION')) return buildRefusal('PERMISSION_DENIED', WHOLE);
  const before = (await findBreakGlassSettings(tx, organization_id))?.mode ?? 'TWO_PEOPLE';
  await putBreakGlassSettings(tx, { organization_id, mode, updated_by: actor.id, updated_at: now });
  const data = { change: 'configured', before: { mode: before }, after: { mode }, reason };
  emit('emergency.access_updated', {
    ...about.organization({ id: organization_id }),
    ...(mode === 'SELF_WITH_NOTICE' ? { severity: 'critical' as const } : {}),
    data,
  });
  return { mode, updated_at: now.toISOString(), updated_by: actor.id };
};
