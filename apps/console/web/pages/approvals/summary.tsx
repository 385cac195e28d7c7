import { amountText } from '@svc/contract/tables/currencies.ts';
import type { ApprovalStatus } from '@svc/contract/tables/vocabulary.ts';
import type { Environment } from '../../api/environments.ts';
import { environmentWords } from '../../frame/places-to-choose.ts';
import { spelledOut } from '../../frame/shown-json.ts';
import { Time } from '../../frame/time.tsx';

export type Approval = {
  readonly id: string;
  readonly status: ApprovalStatus;
  readonly environment_id: string;
  readonly agent_name: string;
  readonly tool: string;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly parameters_excerpt: string;
  readonly reason: string;
  readonly quorum: number;
  readonly approvals_given: number;
  readonly approver_roles: readonly string[];
  readonly requested_at: string;
  readonly expires_at: string;
  readonly decided_at: string | null;
};

export const STATUS_WORDS: Readonly<Record<ApprovalStatus, string>> = {
  PENDING: 'waiting',
  APPROVED: 'approved, not used yet',
  CONSUMED: 'approved and used',
  DENIED: 'denied',
  EXPIRED: 'expired',
  CANCELLED: 'cancelled',
};

/** Each role has to be among those who approve; whoever owns the organization counts as every role. */
const rolesNeeded = (quorum: number, roles: readonly string[]): string => {
  if (roles.length === 0) return '';
  const named = roles.join(' and ');
  if (quorum === 1) return ` who is ${named}, or an owner`;
  return `, among them ${named} (an owner counts as each)`;
};

const votesNeeded = ({ quorum, approver_roles, approvals_given }: Approval): string =>
  `${quorum} ${quorum === 1 ? 'person' : 'people'}${rolesNeeded(quorum, approver_roles)}; ${approvals_given === 0 ? 'nobody' : approvals_given} so far`;

/** As people write it; one without a currency as it was counted. */
const amountOf = ({ amount, currency }: Approval): readonly string[] =>
  amount === null ? [] : [amountText(amount, currency) ?? `${amount}, in the smallest unit`];

/** What is decided, told of it once it is gone from the list. */
export const nameOf = (approval: Approval): string => [`${approval.tool} by ${approval.agent_name}`, ...amountOf(approval)].join(', ');

/** Names and values of one in the list, with the beginning of its arguments as long as they do not stand below whole. */
export const summaryOf = (approval: Approval, environments: readonly Environment[], isOpen: boolean) =>
  [
    ...(approval.status === 'PENDING' ? [] : [['Status', STATUS_WORDS[approval.status]] as const]),
    ['Who asks', approval.agent_name],
    ['What', approval.tool],
    ['In', environmentWords(approval.environment_id, environments)],
    ...amountOf(approval).map((amount) => ['Amount', amount] as const),
    ...(isOpen ? [] : [['Arguments', <code key="arguments">{spelledOut(approval.parameters_excerpt)}</code>] as const]),
    ['Why it waits', approval.reason],
    ['Asked', <Time key="asked" at={approval.requested_at} />],
    ...(approval.decided_at === null ? [] : [['Decided', <Time key="decided" at={approval.decided_at} />] as const]),
    ['Until', <Time key="until" at={approval.expires_at} />],
    ['Needs', votesNeeded(approval)],
    ['Id', approval.id],
  ] as const;
