import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';

/**
 * Statuses in which passports are renewed automatically. After a security stop or its end, an agent keeps its expiry until a person renews
 * it.
 */
export const RENEWED_STATUSES: readonly AgentStatus[] = ['ACTIVE', 'PAUSED'];

/** The refusal of an agent with an expired passport, with the remedy: it keeps its key. */
export const PASSPORT_OVER =
  'The passport of the agent has expired. Renew it with POST /v1/agents/{agentId}/passport/renew, which keeps the key and the sessions of the agent.';

const DAY_MS = 86_400_000;

/** From when on a passport is renewed, in milliseconds since the epoch: in the last part of its life, and no more than some days before its end. */
export const getRenewalDueMs = (issuedAtMs: number, expiresAtMs: number): number => {
  const { renewBeforeDaysMax, renewBeforePartCount } = LIMITS.passports;
  return expiresAtMs - Math.min(renewBeforeDaysMax * DAY_MS, (expiresAtMs - issuedAtMs) / renewBeforePartCount);
};
