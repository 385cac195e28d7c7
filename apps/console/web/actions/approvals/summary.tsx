import { amountText } from '@svc/contract/tables/currencies.ts';
import type { ApprovalStatus } from '@svc/contract/tables/vocabulary.ts';
import type { Environment } from '../../data/environments.ts';
import { environmentLabel } from '../../data/scope-options.ts';
import { spelledOut } from '../../design/shown-json.ts';
import { Time } from '../../design/time.tsx';

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
  readonly approver_groups: readonly { readonly people: readonly string[] }[] | null;
  readonly requested_at: string;
  readonly expires_at: string;
  readonly decided_at: string | null;
};

export const STATUS_WORDS: Readonly<Record<ApprovalStatus, string>> = {
  PENDING: 'Waiting',
  APPROVED: 'Approved',
  CONSUMED: 'Approved and used',
  DENIED: 'Denied',
  EXPIRED: 'Expired',
  CANCELLED: 'Cancelled',
};

/** Each role has to be among those who approve; whoever owns the organization counts as every role, and whoever is named as theirs. */
const rolesNeeded = ({ quorum, approver_roles, approver_groups }: Approval): string => {
  if (approver_roles.length === 0) return '';
  const people = new Set(approver_groups?.flatMap((group) => group.people));
  const besides = [...(approver_roles.includes('owner') ? [] : ['an owner']), ...(people.size === 0 ? [] : ['whoever the rule names'])];
  const roles = [approver_roles.join(' and '), ...besides].join(', or ');
  return quorum === 1 ? `: ${roles}` : `, among them for each role one who has it: ${roles}`;
};

const votesNeeded = (approval: Approval): string => {
  const { quorum, approvals_given } = approval;
  return `${quorum} ${quorum === 1 ? 'person' : 'people'}${rolesNeeded(approval)}; ${approvals_given === 0 ? 'nobody' : approvals_given} so far`;
};

/** As people write it; one without a currency as it was counted. */
export const amountOf = ({ amount, currency }: Pick<Approval, 'amount' | 'currency'>): readonly string[] =>
  amount === null ? [] : [amountText(amount, currency) ?? `${amount}, in the smallest unit`];

/** What is decided, told of it once it is gone from the list. */
export const nameOf = (approval: Approval): string => [`${approval.tool} by ${approval.agent_name}`, ...amountOf(approval)].join(', ');

/** Names and values of one in the list, with the beginning of its arguments as long as they do not stand below whole. */
export const summaryOf = (approval: Approval, environments: readonly Environment[], isOpen: boolean) =>
  [
    ...(approval.status === 'PENDING' ? [] : [['Status', STATUS_WORDS[approval.status]] as const]),
    ['Who asks', approval.agent_name],
    ['What', approval.tool],
    ['In', environmentLabel(approval.environment_id, environments)],
    ...amountOf(approval).map((amount) => ['Amount', amount] as const),
    ...(isOpen ? [] : [['Arguments', <code key="arguments">{spelledOut(approval.parameters_excerpt)}</code>] as const]),
    ['Why it waits', approval.reason],
    ['Asked', <Time key="asked" at={approval.requested_at} />],
    ...(approval.decided_at === null ? [] : [['Decided', <Time key="decided" at={approval.decided_at} />] as const]),
    ['Until', <Time key="until" at={approval.expires_at} />],
    ['Needs', votesNeeded(approval)],
    ['Id', approval.id],
  ] as const;
