import type { EmergencyControl } from '@svc/contract/incidents/emergency/emergency-shapes.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { holdEpochs, lockAgents } from '@svc/postgres/agents/fleet/lock-agents.ts';
import { type About, about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { clearEndedBlocks, insertBlock } from '@svc/postgres/incidents/emergency/blocked-destinations.ts';
import { findAgentsWithin } from '@svc/postgres/incidents/emergency/count-agents.ts';
import { endSessionsOfAgents } from '@svc/postgres/incidents/emergency/end-sessions.ts';
import { endMemberSessions } from '@svc/postgres/people/auth/member-access.ts';
import { buildLifecycleEvent, changeLifecycle } from '../../agents/agents/change-lifecycle.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { pauseEnvironment } from '../../tenancy/environments/pause-environment.ts';
import { disableTool } from '../../tools/tools/disable-tool.ts';
import type { ControlTarget } from './control-target.ts';

export type ControlEvent = 'agent.isolated' | 'environment.paused' | 'tool.disabled' | 'session.revoked';

export type Applying = CallContext & {
  readonly target: ControlTarget;
  readonly reason: string;
  readonly blockId: string;
  readonly expiresAt: string | null;
  readonly incidentId: string | null;
};

export type ApplyRefusal = Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION' | 'UNPROCESSABLE'>;
type Applied = About | ApplyRefusal;

const NO_PLACE = 'A target without an event cannot be changed';
const TOO_MANY = `An organization blocks at most ${LIMITS.emergency.blockedMax} destinations. Lift one that is not needed.`;

const aboutTarget = ({ about: known }: ControlTarget): About => {
  if (known === undefined) throw new Error(NO_PLACE);
  return known;
};

const isolate = async ({ tx, emit }: Change<ControlEvent>, { target, scope, reason, actor, now }: Applying): Promise<Applied> => {
  const step = { organizationId: scope.organization_id, agentId: target.id, operation: 'isolate', by: actor, now } as const;
  const changed = await changeLifecycle(tx, step);
  if (isRefusal(changed)) return changed;
  emit('agent.isolated', buildLifecycleEvent(changed, reason));
  return aboutTarget(target);
};

const pause = async (change: Change<ControlEvent>, { target, scope, reason, now }: Applying): Promise<Applied> => {
  const paused = await pauseEnvironment(change, { organizationId: scope.organization_id, environmentId: target.id, reason, now });
  return isRefusal(paused) ? paused : aboutTarget(target);
};

const disable = async (change: Change<ControlEvent>, { target, reason, ...acting }: Applying): Promise<Applied> => {
  const disabled = await disableTool(change, { ...acting, body: { reason }, toolId: target.id });
  return isRefusal(disabled) ? disabled : aboutTarget(target);
};

const block = async ({ tx }: Change<ControlEvent>, applying: Applying): Promise<Applied> => {
  const { target, scope, reason, actor, now, blockId, expiresAt, incidentId } = applying;
  const { organization_id } = scope;
  if (target.pattern === undefined) throw new Error(NO_PLACE);
  if ((await clearEndedBlocks(tx, organization_id)) >= LIMITS.emergency.blockedMax) return buildRefusal('UNPROCESSABLE', TOO_MANY);
  const { text: pattern, kind, host, port } = target.pattern;
  const row = { organization_id, id: blockId, pattern, kind, host, port, reason };
  await insertBlock(tx, { ...row, incident_id: incidentId, created_by: actor.id, created_at: now, expires_at: expiresAt });
  return about.blocked_destination({ id: blockId });
};

const revokeSessions = async ({ tx, emit }: Change<ControlEvent>, { target, scope, reason, now }: Applying): Promise<Applied> => {
  const { organization_id } = scope;
  const { type, id } = target;
  const place = aboutTarget(target);
  if (type === 'member') {
    await endMemberSessions(tx, { organizationId: organization_id, memberId: id, now });
    emit('session.revoked', { ...place, data: { all: true, reason } });
    return place;
  }
  const isMany = type === 'environment' || type === 'workspace' || type === 'organization';
  const ids = isMany ? await findAgentsWithin(tx, organization_id, type, id) : [id];
  if (ids.length > LIMITS.emergency.countedMax)
    return buildRefusal(
      'UNPROCESSABLE',
      'Too many agents for one request. Pause their environments, or revoke the sessions of each environment.',
    );
  await lockAgents(tx, organization_id, ids);
  await inWholeOrganization(tx, scope, () => holdEpochs(tx, organization_id, ids));
  await endSessionsOfAgents(tx, organization_id, ids, now);
  emit('session.revoked', { ...place, data: { all: true, agents: ids.length, reason } });
  return place;
};

const CONTROLS: Readonly<Record<EmergencyControl, (change: Change<ControlEvent>, applying: Applying) => Promise<Applied>>> = {
  'isolate-agent': isolate,
  'pause-environment': pause,
  'disable-tool': disable,
  'block-destination': block,
  'revoke-sessions': revokeSessions,
};

/** Makes the change of a control with its events. Returns the subject of the control's event. */
export const applyControl = (change: Change<ControlEvent>, control: EmergencyControl, applying: Applying): Promise<Applied> =>
  CONTROLS[control](change, applying);
