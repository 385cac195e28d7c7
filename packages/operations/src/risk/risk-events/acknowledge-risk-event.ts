import type { RiskEvent, RiskVerdict } from '@svc/contract/risk/risk-events.ts';
import { RISK_FAMILIES, SIGNAL_TABLE, type SignalName } from '@svc/contract/risk/signal-table.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { decodeConduct, encodeConduct } from '@svc/domain/risk/conduct/encode-conduct.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { acknowledgeRisk, findRiskEvent, lockConduct, putRiskMute, updateConduct } from '@svc/postgres/risk/risk-events.ts';
import type { CallContext } from '../../people/auth/acting.ts';

const HOUR_MS = 3_600_000;
const CONTENT_HOURS_MAX = 24;

export type GivenVerdict = CallContext & {
  readonly riskEventId: string;
  readonly verdict: RiskVerdict;
  readonly comment: string | null;
  readonly muteHours: number | undefined;
};

const isSignal = (name: string): name is SignalName => Object.hasOwn(SIGNAL_TABLE, name);

const muteFault = ({ signal }: RiskEvent, { verdict, muteHours }: GivenVerdict): string | null => {
  if (muteHours === undefined) return null;
  if (verdict === 'CONFIRMED') return 'A confirmed finding gets no exception.';
  if (!isSignal(signal)) return 'This event collects several signals; make exceptions at events of one signal.';
  if (SIGNAL_TABLE[signal].family === 'content' && muteHours > CONTENT_HOURS_MAX)
    return `Exceptions of signals of content last at most ${CONTENT_HOURS_MAX} hours.`;
  return null;
};

/** Ends the part of the agent's risk that the family of the signal adds. */
const forgetFamily = async (tx: TenantTransaction, organizationId: string, { agent_id, signal }: RiskEvent): Promise<void> => {
  const state = isSignal(signal) ? await lockConduct(tx, organizationId, agent_id) : undefined;
  const conduct = state && decodeConduct(state);
  if (conduct === undefined || !isSignal(signal)) return;
  Object.assign(conduct.families[RISK_FAMILIES.indexOf(SIGNAL_TABLE[signal].family)] ?? {}, { points: 0, at: 0 });
  await updateConduct(tx, organizationId, agent_id, encodeConduct(conduct));
};

/** Closes a risk event with a verdict. The recorded requests do not change. */
export const acknowledgeRiskEvent = async (
  { tx, emit }: Change<'risk.acknowledged'>,
  given: GivenVerdict,
): Promise<RiskEvent | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION' | 'VALIDATION_FAILED' | 'PERMISSION_DENIED'>> => {
  const { scope, actor, now, riskEventId, verdict, comment, muteHours } = given;
  const { organization_id } = scope;
  const event = await findRiskEvent(tx, organization_id, riskEventId, true);
  if (!event) return buildRefusal('NOT_FOUND');
  if (event.status === 'ACKNOWLEDGED')
    return buildRefusal('INVALID_STATE_TRANSITION', 'The risk event was acknowledged already.', {
      operation: 'acknowledge',
      from: event.status,
      allowed_from: ['OPEN', 'STALE'],
    });
  const message = muteFault(event, given);
  if (message !== null) return buildRefusal('VALIDATION_FAILED', message, { faults: [{ pointer: '/mute_hours', message }] });
  if (muteHours !== undefined && actor.type !== 'USER')
    return buildRefusal('PERMISSION_DENIED', 'Only a person makes exceptions of signals.');
  await acknowledgeRisk(tx, organization_id, event.id, { verdict, comment, acknowledged_by: actor.id, acknowledged_at: now });
  const muted_until = muteHours === undefined ? null : new Date(now.getTime() + muteHours * HOUR_MS);
  if (muted_until !== null) {
    const { workspace_id, environment_id, agent_id, signal, subject } = event;
    const place = { organization_id, workspace_id, environment_id, agent_id, signal, subject };
    await putRiskMute(tx, { ...place, muted_until, risk_event_id: event.id, created_by: actor.id, created_at: now });
  }
  if (verdict !== 'CONFIRMED') await forgetFamily(tx, organization_id, event);
  emit('risk.acknowledged', {
    ...about.risk_event(event),
    ...(verdict === 'CONFIRMED' ? { severity: 'warning' as const } : {}),
    data: {
      agent_id: event.agent_id,
      signal: event.signal,
      subject: event.subject,
      verdict,
      comment,
      muted_until: muted_until?.toISOString() ?? null,
      before: { status: event.status },
      after: { status: 'ACKNOWLEDGED', acknowledged_by: actor.id, acknowledged_at: now.toISOString() },
    },
  });
  return (await findRiskEvent(tx, organization_id, event.id)) ?? buildRefusal('NOT_FOUND');
};
