import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { isFinal } from './final-status.ts';

/** The stored status of an agent: `expires_at` is null if it has no expiry. */
export type AgentStanding = { readonly status: AgentStatus; readonly expires_at: string | null };

/** The status of an agent at a moment: from its end on it is EXPIRED, whether or not anything has written so. An end that cannot be read has come. */
export const statusAt = ({ status, expires_at }: AgentStanding, nowMs: number): AgentStatus =>
  expires_at === null || isFinal(status) || Date.parse(expires_at) > nowMs ? status : 'EXPIRED';
