import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import {
  closeStaleRisk,
  countOpenRisk,
  countRiskEvent,
  insertRiskEvent,
  type RiskNotice,
  takeRiskNotices,
} from '@svc/postgres/risk/risk-events.ts';
import { newId } from '@svc/program/ids/new-id.ts';

const NOTICES_AT_ONCE = 200;
const HOUR_MS = 3_600_000;
/** Signal of the notice that an agent passed its threshold, which is no signal of a request. */
export const THRESHOLD = 'threshold';

type Raised = Change<'risk.event_created' | 'risk.threshold_exceeded'>;

const raiseOne = async ({ tx, emit }: Raised, notice: RiskNotice, now: Date): Promise<void> => {
  const { organization_id, agent_id, signal, sentence, score, points, last_action_id } = notice;
  if (signal === THRESHOLD) {
    const data = { agent_id, risk: score, sentence, action_id: last_action_id, ...notice.evidence };
    emit('risk.threshold_exceeded', { ...about.agent({ ...notice, id: agent_id }), data });
    return;
  }
  if (await countRiskEvent(tx, notice)) return;
  const { ofAgent, ofOrganization } = await countOpenRisk(tx, organization_id, agent_id, new Date(now.getTime() - HOUR_MS));
  const isBeyond = ofAgent >= RISK_LIMITS.openEventsPerAgentMax || ofOrganization >= RISK_LIMITS.newEventsPerHourMax;
  const kept = isBeyond
    ? { ...notice, signal: 'too_many', subject: agent_id, sentence: 'The agent has more risk events than are kept apart.', evidence: {} }
    : notice;
  if (isBeyond && (await countRiskEvent(tx, kept))) return;
  const id = newId('risk_event');
  await insertRiskEvent(tx, id, kept);
  emit('risk.event_created', {
    ...about.risk_event({ ...kept, id }),
    data: { agent_id, signal: kept.signal, subject: kept.subject, points, score, sentence: kept.sentence, action_id: last_action_id },
  });
};

/** Counts findings of signals in risk events, and writes an event for each new one. One writer per organization at a time. */
export const raiseRiskEvents = async (change: Raised, organizationId: string, now: Date): Promise<boolean> => {
  const notices = await takeRiskNotices(change.tx, organizationId, NOTICES_AT_ONCE);
  for (const notice of notices) await raiseOne(change, notice, now);
  await closeStaleRisk(change.tx, organizationId, now);
  return notices.length === NOTICES_AT_ONCE;
};
