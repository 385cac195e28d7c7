import type { BreakGlassGrant, BreakGlassMode } from '@svc/contract/incidents/emergency/break-glass.ts';
import { bodyFault, type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { breakGlassStatus, minutesAllowed } from '@svc/domain/incidents/emergency/break-glass.ts';
import { reachesBeyond } from '@svc/domain/policies/policies/binding-reach.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import {
  findBreakGlassSettings,
  findUnreviewedGrant,
  type GrantRow,
  insertGrant,
  lockOpenGrants,
  takeGrantTurn,
  updateGrant,
} from '@svc/postgres/incidents/emergency/break-glass.ts';
import { insertIncident, setFollowed } from '@svc/postgres/incidents/incidents/incidents.ts';
import type { Acting } from '../../people/auth/acting.ts';
import { incidentEvent } from '../incidents/take-incident.ts';
import { asBreakGlass, auditedGrant } from './as-break-glass.ts';

type RequestEvent = 'emergency.access_updated' | 'security.break_glass_granted' | 'security.break_glass_expired' | 'incident.created';

export type BreakGlassRequest = Acting & {
  readonly sessionId: string;
  readonly reason: string;
  readonly minutes: number;
  readonly newId: (noun: 'break_glass_grant' | 'incident') => string;
};

const { breakGlass } = LIMITS;
const MINUTE_MS = 60_000;
const PART = 'Emergency access holds in the whole organization, so this session must not be limited to a part of it.';
const ONE = 'You have a request or grant that is open. End it first.';
const FULL = `An organization has at most ${breakGlass.openMax} open requests and grants.`;
const UNREVIEWED = 'Another person must review your last grant first.';

/** Records expired grants as ended. */
const closeExpired = async ({ tx, emit }: Change<RequestEvent>, open: readonly GrantRow[], now: Date): Promise<GrantRow[]> => {
  const left: GrantRow[] = [];
  for (const grant of open) {
    if (breakGlassStatus(grant, now.getTime()) !== 'EXPIRED') left.push(grant);
    else {
      await updateGrant(tx, grant, { status: 'ENDED', ended_at: grant.expires_at ?? grant.request_expires_at });
      if (grant.status === 'ACTIVE')
        emit('security.break_glass_expired', { ...about.break_glass_grant(grant), data: { ...auditedGrant(grant), ended: 'TIME' } });
    }
  }
  return left;
};

/** Opens an incident for a grant that its holder takes alone. */
const openOwnIncident = async (
  { tx, emit }: Change<RequestEvent>,
  { scope, actor, now, reason, newId }: BreakGlassRequest,
): Promise<string> => {
  const { organization_id } = scope;
  const id = newId('incident');
  const title = `Emergency access of ${actor.name ?? actor.id}`;
  await insertIncident(tx, {
    ...{ organization_id, id, title, description: reason, severity: 'HIGH', subjects: '[]' },
    ...{ opened_by_type: actor.type, opened_by_id: actor.id, created_at: now, updated_at: now },
  });
  await setFollowed(tx, organization_id, id, [id]);
  const place = { id, workspace_id: null, environment_id: null, drill: false };
  emit('incident.created', incidentEvent(place, { title, incident_severity: 'HIGH', subjects: [] }));
  return id;
};

const refuseRequest = async ({ tx }: Change<RequestEvent>, request: BreakGlassRequest, open: readonly GrantRow[], mode: BreakGlassMode) => {
  const { scope, actor, minutes } = request;
  const most = minutesAllowed(mode, breakGlass);
  if (minutes > most) return bodyFault('/minutes', `must be at most ${most}`);
  if (open.some(({ user_id }) => user_id === actor.id)) return refusal('CONFLICT', ONE);
  if (open.length >= breakGlass.openMax) return refusal('UNPROCESSABLE', FULL);
  if (mode === 'SELF_WITH_NOTICE' && (await findUnreviewedGrant(tx, scope.organization_id, actor.id)))
    return refusal('CONFLICT', UNREVIEWED);
  return undefined;
};

/**
 * Requests emergency access. If the organization allows it without approval it starts at once, with an incident and a notice to the others.
 */
export const requestBreakGlass = async (
  change: Change<RequestEvent>,
  request: BreakGlassRequest,
): Promise<BreakGlassGrant | Refusal<'CONFLICT' | 'UNPROCESSABLE' | 'VALIDATION_FAILED' | 'PERMISSION_DENIED'>> => {
  const { tx, emit } = change;
  const { scope, actor, now, sessionId, reason, minutes, newId } = request;
  const { organization_id } = scope;
  if (actor.type !== 'USER' || reachesBeyond(scope, 'ORGANIZATION')) return refusal('PERMISSION_DENIED', PART);
  await takeGrantTurn(tx, organization_id);
  const open = await closeExpired(change, await lockOpenGrants(tx, organization_id), now);
  const mode: BreakGlassMode =
    (await findBreakGlassSettings(tx, organization_id))?.mode === 'SELF_WITH_NOTICE' ? 'SELF_WITH_NOTICE' : 'TWO_PEOPLE';
  const refused = await refuseRequest(change, request, open, mode);
  if (refused) return refused;
  const isAlone = mode === 'SELF_WITH_NOTICE';
  const incident_id = isAlone ? await openOwnIncident(change, request) : null;
  const decided = { status: 'ACTIVE', decided_by: actor.id, decided_at: now, expires_at: new Date(now.getTime() + minutes * MINUTE_MS) };
  const grant = await insertGrant(tx, {
    ...{ organization_id, id: newId('break_glass_grant'), user_id: actor.id, session_id: sessionId, mode, reason, minutes, incident_id },
    ...{ requested_at: now, request_expires_at: new Date(now.getTime() + breakGlass.requestSeconds * 1_000) },
    ...(isAlone ? decided : { status: 'PENDING' }),
  });
  const data = { ...auditedGrant(grant), name: actor.name };
  if (isAlone) emit('security.break_glass_granted', { ...about.break_glass_grant(grant), data });
  else emit('emergency.access_updated', { ...about.break_glass_grant(grant), data: { ...data, change: 'requested' } });
  return asBreakGlass(grant, now);
};
