import type { OperationResult } from '@svc/client/client-types.ts';
import type { Agent } from '@svc/contract/agents/agents/agents.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import type { Tone } from '../../design/status-pill.tsx';

export type { Agent };

export type ListedAgent = OperationResult<'listAgents'>['items'][number];

export const STATUS_WORDS: Readonly<Record<AgentStatus, string>> = {
  ACTIVE: 'Active',
  PAUSED: 'Paused',
  SUSPENDED: 'Suspended',
  ISOLATED: 'Isolated',
  EXPIRED: 'Expired',
  DECOMMISSIONED: 'Decommissioned',
  REVOKED: 'Revoked',
};
export const STATUS_TONES: Readonly<Record<AgentStatus, Tone>> = {
  ACTIVE: 'allowed',
  PAUSED: 'held',
  SUSPENDED: 'blocked',
  ISOLATED: 'blocked',
  EXPIRED: 'neutral',
  DECOMMISSIONED: 'neutral',
  REVOKED: 'blocked',
};
