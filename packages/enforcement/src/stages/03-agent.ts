import { checkOperational } from '@svc/domain/agents/agents/check-operational.ts';
import { PASSPORT_OVER } from '@svc/domain/agents/agents/passport-renewal.ts';
import { statusAt } from '@svc/domain/agents/agents/status-at.ts';
import type { Facts } from '../facts/facts.ts';
import { defineStage, PASSED, refuseStage, type StageAnswer } from '../facts/stage.ts';

const REFUSES = ['AGENT_IDENTITY_REVOKED', 'AGENT_ISOLATED', 'AGENT_NOT_OPERATIONAL', 'AGENT_TOKEN_EXPIRED', 'PASSPORT_INVALID'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

export const checkAgent = ({ agent, session, now }: Pick<Facts, 'agent' | 'session' | 'now'>): Answer => {
  const stopped = checkOperational(statusAt(agent, now.getTime()));
  if (stopped) return refuseStage(stopped.refused, undefined, stopped.details);
  if (session && (session.series !== agent.session_series || agent.ended_sessions.has(session.id))) {
    return refuseStage('AGENT_TOKEN_EXPIRED', 'This session has ended. Sign in again with a new assertion.');
  }
  if (agent.passport_expires_at === null || Date.parse(agent.passport_expires_at) <= now.getTime()) {
    return refuseStage('PASSPORT_INVALID', PASSPORT_OVER, { agent_id: agent.agent_id, expired_at: agent.passport_expires_at });
  }
  return PASSED;
};

export const agent = defineStage({ name: 'agent', relaxedByObserve: false, refuses: REFUSES, check: checkAgent });
