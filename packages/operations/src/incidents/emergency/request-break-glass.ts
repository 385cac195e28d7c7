import type { BreakGlassGrant, BreakGlassMode } from '@svc/contract/incidents/emergency/break-glass.ts';
import { buildRefusal, type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getBreakGlassStatus, minutesAllowed } from '@svc/domain/incidents/emergency/break-glass.ts';
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
import type { CallContext } from '../../people/auth/acting.ts';
import { buildIncidentEvent } from '../incidents/take-incident.ts';
import { asBreakGlass, formatGrantForAudit } from './as-break-glass.ts';

type RequestEvent =
  | 'emergency.access_updated'
  | 'emergency.drill_completed'
  | 'security.break_glass_granted'
  | 'security.break_glass_expired'
  | 'incident.created';

export type BreakGlassRequest = CallContext & {
  readonly sessionId: string;
  readonly reason: string;
  readonly minutes: number;
  readonly drill: boolean;
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
    if (getBreakGlassStatus(grant, now.getTime()) !== 'EXPIRED') left.push(grant);
    else {
      await updateGrant(tx, grant, { status: 'ENDED', ended_at: grant.expires_at ?? grant.request_expires_at });
      if (grant.status === 'ACTIVE')
        emit('security.break_glass_expired', { ...about.break_glass_grant(grant), data: { ...formatGrantForAudit(grant), ended: 'TIME' } });
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
  emit('incident.created', buildIncidentEvent(place, { title, incident_severity: 'HIGH', subjects: [] }));
  return id;
};

const refuseRequest = async ({ tx }: Change<RequestEvent>, request: BreakGlassRequest, open: readonly GrantRow[], mode: BreakGlassMode) => {
  const { scope, actor, minutes, drill } = request;
  const most = minutesAllowed(mode, breakGlass);
  if (minutes > most) return refuseBody('/minutes', `must be at most ${most}`);
  if (open.some(({ user_id }) => user_id === actor.id)) return buildRefusal('CONFLICT', ONE);
  if (open.length >= breakGlass.openMax) return buildRefusal('UNPROCESSABLE', FULL);
  if (!drill && mode === 'SELF_WITH_NOTICE' && (await findUnreviewedGrant(tx, scope.organization_id, actor.id)))
    return buildRefusal('CONFLICT', UNREVIEWED);
  return undefined;
};

/** The open grants and requests that stand in the way. Practice never does: the drill of someone with a real emergency ends. */
const endOwnDrill = async (
  { tx }: Change<RequestEvent>,
  { actor, now, drill }: BreakGlassRequest,
  open: readonly GrantRow[],
): Promise<readonly GrantRow[]> => {
  if (drill) return open;
  const own = open.find((grant) => grant.drill && grant.user_id === actor.id);
  if (own) await updateGrant(tx, own, { status: 'ENDED', ended_at: now, ended_by: actor.id });
  return open.filter((grant) => !grant.drill);
};

/** A request that another person decides about, or a grant that its holder takes alone. Alone, a drill ends at once and opens no incident. */
const addGrant = async (change: Change<RequestEvent>, request: BreakGlassRequest, mode: BreakGlassMode): Promise<GrantRow> => {
  const { scope, actor, now, sessionId, reason, minutes, drill, newId } = request;
  const isAlone = mode === 'SELF_WITH_NOTICE';
  const incident_id = isAlone && !drill ? await openOwnIncident(change, request) : null;
  const decided = { decided_by: actor.id, decided_at: now };
  const ended = { status: 'ENDED', ...decided, ended_at: now };
  const active = { status: 'ACTIVE', ...decided, expires_at: new Date(now.getTime() + minutes * MINUTE_MS) };
  return insertGrant(change.tx, {
    ...{ organization_id: scope.organization_id, id: newId('break_glass_grant'), user_id: actor.id, session_id: drill ? '' : sessionId },
    ...{ mode, reason, minutes, incident_id, drill },
    ...{ requested_at: now, request_expires_at: new Date(now.getTime() + breakGlass.requestSeconds * 1_000) },
    ...(isAlone ? (drill ? ended : active) : { status: 'PENDING' }),
  });
};

const emitRequested = ({ emit }: Change<RequestEvent>, grant: GrantRow, name: string | null): void => {
  const data = { ...formatGrantForAudit(grant), name };
  const subject = about.break_glass_grant(grant);
  if (grant.status === 'PENDING')
    emit('emergency.access_updated', {
      ...subject,
      ...(grant.drill ? { severity: 'info' as const } : {}),
      data: { ...data, change: 'requested' },
    });
  else emit(grant.drill ? 'emergency.drill_completed' : 'security.break_glass_granted', { ...subject, data });
};

/**
 * Requests emergency access. If the organization allows it without approval it starts at once, with an incident and a notice to the others.
 */
export const requestBreakGlass = async (
  change: Change<RequestEvent>,
  request: BreakGlassRequest,
): Promise<BreakGlassGrant | Refusal<'CONFLICT' | 'UNPROCESSABLE' | 'VALIDATION_FAILED' | 'PERMISSION_DENIED'>> => {
  const { tx } = change;
  const { scope, actor, now } = request;
  const { organization_id } = scope;
  if (actor.type !== 'USER' || reachesBeyond(scope, 'ORGANIZATION')) return buildRefusal('PERMISSION_DENIED', PART);
  await takeGrantTurn(tx, organization_id);
  const open = await closeExpired(change, await lockOpenGrants(tx, organization_id), now);
  const mode: BreakGlassMode =
    (await findBreakGlassSettings(tx, organization_id))?.mode === 'SELF_WITH_NOTICE' ? 'SELF_WITH_NOTICE' : 'TWO_PEOPLE';
  const refused = await refuseRequest(change, request, await endOwnDrill(change, request, open), mode);
  if (refused) return refused;
  const grant = await addGrant(change, request, mode);
  emitRequested(change, grant, actor.name);
  return asBreakGlass(grant, now);
};
