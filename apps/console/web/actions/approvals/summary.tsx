import type { OperationResult } from '@svc/client/client-types.ts';
import type { ApprovalStatus } from '@svc/contract/tables/vocabulary.ts';
import type { LabelledEnvironment } from '../../data/environments.ts';
import { formatMoney } from '../../data/money-text.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import { formatAgo } from '../../design/ago.tsx';
import { Id } from '../../design/id.tsx';
import type { Tone } from '../../design/status-pill.tsx';
import { Time } from '../../design/time.tsx';

export type ApprovalDetails = OperationResult<'getApproval'>;

export const STATUS_WORDS: Readonly<Record<ApprovalStatus, string>> = {
  PENDING: 'Waiting',
  APPROVED: 'Approved',
  CONSUMED: 'Approved and used',
  DENIED: 'Denied',
  EXPIRED: 'Expired',
  CANCELLED: 'Cancelled',
};

export const STATUS_TONES: Readonly<Record<ApprovalStatus, Tone>> = {
  PENDING: 'held',
  APPROVED: 'allowed',
  CONSUMED: 'allowed',
  DENIED: 'blocked',
  EXPIRED: 'neutral',
  CANCELLED: 'neutral',
};

/** Each role must be among those who approve. An owner counts as every role, and so does a person whom the rule names. */
const rolesNeeded = ({ quorum, approver_roles, approver_groups }: ApprovalDetails): string => {
  if (approver_roles.length === 0) return '';
  const people = new Set(approver_groups?.flatMap((group) => group.people));
  const others = [...(approver_roles.includes('owner') ? [] : ['owner']), ...(people.size === 0 ? [] : ['an approver listed in the rule'])];
  return quorum === 1
    ? ` (${[...approver_roles, ...others].join(' or ')})`
    : ` (one of each role: ${[approver_roles.join(' and '), ...others].join(', or ')})`;
};

const votesNeeded = (approval: ApprovalDetails): string => {
  const { quorum, approvals_given } = approval;
  return `${quorum} ${quorum === 1 ? 'approval' : 'approvals'}${rolesNeeded(approval)}, ${approvals_given === 0 ? 'none' : approvals_given} yet`;
};

/** An amount as people write it; without a currency, as it was counted. */
export const getAmount = ({ amount, currency }: Pick<ApprovalDetails, 'amount' | 'currency'>): readonly string[] =>
  amount === null ? [] : [currency === null ? `${amount}, in the smallest unit` : formatMoney(amount, currency)];

/** Tool, agent and amount: the title of an approval. */
export const formatApprovalTitle = (approval: ApprovalDetails): string =>
  [`${approval.tool} by ${approval.agent_name}`, ...getAmount(approval)].join(', ');

/** The facts of one approval after its decision, which stands above them. */
export const getSummary = (approval: ApprovalDetails, environments: readonly LabelledEnvironment[]) =>
  [
    ['Agent', approval.agent_name],
    ['Tool', approval.tool],
    ['Environment', getEnvironmentLabel(approval.environment_id, environments)],
    ...(approval.destination === null ? [] : [['Destination', approval.destination] as const]),
    ['Requested', <Time key="requested" at={approval.requested_at} />],
    ...(approval.decided_at === null ? [] : [['Decided', <Time key="decided" at={approval.decided_at} />] as const]),
    ['Expires', <Time key="expires" at={approval.expires_at} />],
    ['Needs', votesNeeded(approval)],
    ['Id', <Id key="id" id={approval.id} />],
  ] as const;

/** The names of the people who decided; empty as long as it is not decided. */
export const formatDecider = ({ status, votes }: ApprovalDetails): string => {
  const names = (vote: 'APPROVE' | 'DENY'): string =>
    votes
      .filter((each) => each.vote === vote && each.counts)
      .map(({ user_name }) => user_name)
      .join(' and ');
  if (status === 'DENIED') return names('DENY');
  return status === 'APPROVED' || status === 'CONSUMED' ? names('APPROVE') : '';
};

/** The decision of another person, in one sentence: who, and when. */
export const formatDecision = (approval: ApprovalDetails): string => {
  const by = formatDecider(approval);
  const at = approval.decided_at === null ? '' : ` ${formatAgo(approval.decided_at, Date.now())}`;
  return `${STATUS_WORDS[approval.status]}${by === '' ? '' : ` by ${by}`}${at}. Nothing more is needed from you.`;
};
