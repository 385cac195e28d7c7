import type { Action, ActionSummary } from '@svc/contract/actions/actions.ts';
import type { ActionStatus } from '@svc/contract/tables/vocabulary.ts';
import { formatMoney } from '../../data/money-text.ts';
import type { Tone } from '../../design/status-pill.tsx';

export type { Action, ActionSummary };

export const STATUS_WORDS: Readonly<Record<ActionStatus, string>> = {
  ALLOWED: 'Not reported yet',
  BLOCKED: 'Did not run',
  PENDING_APPROVAL: 'Waits for approval',
  APPROVED: 'Approved, not run yet',
  EXECUTING: 'Running',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  UNKNOWN: 'Outcome unknown',
  EXPIRED: 'Approval expired',
  CANCELLED: 'Cancelled',
  OBSERVED: 'Ran, observed only',
  SIMULATED: 'Simulated, did not run',
};

export const STATUS_TONES: Readonly<Record<ActionStatus, Tone>> = {
  ALLOWED: 'neutral',
  BLOCKED: 'blocked',
  PENDING_APPROVAL: 'held',
  APPROVED: 'allowed',
  EXECUTING: 'neutral',
  COMPLETED: 'allowed',
  FAILED: 'blocked',
  UNKNOWN: 'unknown',
  EXPIRED: 'neutral',
  CANCELLED: 'neutral',
  OBSERVED: 'neutral',
  SIMULATED: 'neutral',
};

/** Tool, agent and amount: the title of an action. */
export const formatActionTitle = ({ tool, agent_name, amount, currency }: ActionSummary): string =>
  `${tool} by ${agent_name}${amount === null ? '' : `, ${formatMoney(amount, currency)}`}`;
