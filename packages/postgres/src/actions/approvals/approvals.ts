import type { Approval, ApprovalCard } from '@svc/contract/actions/approval-shapes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ApprovalStatus } from '@svc/contract/tables/vocabulary.ts';
import { MASKED } from '@svc/policy/masks/mask-secrets.ts';
import { type ExpressionBuilder, sql } from 'kysely';
import { agentStanding } from '../../agents/agents/standing-status.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';
import { unfoldOne } from '../actions/kept-explanations.ts';
import { readBesides } from './card-besides.ts';
import { amountStanding } from './standing.ts';

/** The beginning of the arguments in the wording that stands; they are recorded without what is masked. */
const excerpt = () => {
  const whole = sql`coalesce((select w.parameters::text from approval_wordings w where w.organization_id = p.organization_id
    and w.approval_id = p.id and w.wording = p.wording), a.parameters::text)`;
  const max = LIMITS.approvals.excerptCharsMax;
  return sql<string>`(select case when length(t.whole) > ${max} then left(t.whole, ${max}) || '…' else t.whole end from (select ${whole} as whole) t)`;
};

const selectApprovals = (tx: TenantTransaction, organizationId: string) =>
  tx
    .selectFrom('approvals as p')
    .innerJoin('actions as a', (join) => join.onRef('a.organization_id', '=', 'p.organization_id').onRef('a.id', '=', 'p.action_id'))
    .where('p.organization_id', '=', organizationId)
    .select((eb) => [
      'p.id',
      'p.status',
      'p.action_id',
      'p.agent_id',
      'a.agent_name',
      'p.workspace_id',
      'p.environment_id',
      'a.tool',
      amountStanding.as('amount'),
      'a.currency',
      excerpt().as('parameters_excerpt'),
      'p.reason',
      'p.approver_roles',
      'p.role_quorums',
      'p.approver_groups',
      'p.wording',
      'p.open_question',
      'p.quorum',
      'p.step_up',
      'p.requested_at',
      'p.expires_at',
      'p.decided_at',
      eb
        .selectFrom('approval_votes as v')
        .select(({ fn }) => fn.countAll<number>().as('approvals_given'))
        .whereRef('v.organization_id', '=', 'p.organization_id')
        .whereRef('v.approval_id', '=', 'p.id')
        .whereRef('v.wording', '=', 'p.wording')
        .where('v.vote', '=', 'APPROVE')
        .$asScalar()
        .$notNull()
        .as('approvals_given'),
    ]);

export type ApprovalFilter = {
  readonly status?: ApprovalStatus | undefined;
  readonly agent_id?: string | undefined;
  readonly environment_id?: string | undefined;
};

const FILTERED = ['status', 'agent_id', 'environment_id'] as const;

/** By the time of asking. */
export const listApprovals = (
  tx: TenantTransaction,
  organizationId: string,
  filter: ApprovalFilter,
  order: 'newest' | 'oldest',
  part: ListedPart,
): Promise<Listed<Approval>> => {
  const which = (eb: ExpressionBuilder<{ p: Tables['approvals'] }, 'p'>) =>
    eb.and([
      eb('p.organization_id', '=', organizationId),
      ...FILTERED.flatMap((name) => (filter[name] === undefined ? [] : [eb(`p.${name}`, '=', filter[name])])),
    ]);
  return listed(
    part,
    ({ limit, offset }) =>
      selectApprovals(tx, organizationId)
        .where(which)
        .orderBy('p.id', order === 'oldest' ? 'asc' : 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
    (max) => countUpTo(tx, tx.selectFrom('approvals as p').select('p.id').where(which), max),
  );
};

export const findApprovalSummary = (tx: TenantTransaction, organizationId: string, id: string): Promise<Approval | undefined> =>
  selectApprovals(tx, organizationId).where('p.id', '=', id).executeTakeFirst();

const listVotes = (tx: TenantTransaction, organizationId: string, id: string): Promise<ApprovalCard['votes']> =>
  tx
    .selectFrom('approval_votes as v')
    .leftJoin('users as u', 'u.id', 'v.user_id')
    .where('v.organization_id', '=', organizationId)
    .where('v.approval_id', '=', id)
    .select(['v.user_id', sql<string>`coalesce(u.name, v.user_id)`.as('user_name'), 'v.vote', 'v.wording', 'v.comment', 'v.voted_at'])
    .orderBy('v.voted_at')
    .orderBy('v.user_id')
    .execute();

/** An approval with the held request and every vote, or undefined when there is none of that id in scope. */
export const findApprovalCard = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
): Promise<Omit<ApprovalCard, 'approvable'> | undefined> => {
  const row = await selectApprovals(tx, organizationId)
    .where('p.id', '=', id)
    .select(['a.parameters', 'a.destination', 'a.explanation', 'p.request_hash', 'p.requested_by_type', 'p.requested_by_id'])
    .select(agentStanding('p').as('agent_status'))
    .executeTakeFirst();
  if (!row) return undefined;
  const { requested_by_type, requested_by_id, request_hash, ...summary } = row;
  const explanation = await unfoldOne(tx, organizationId, row.explanation);
  const besides = await readBesides(tx, organizationId, id);
  // What was narrowed would run as it stands now.
  const standing = besides.wordings.at(-1);
  // Of a short value that is masked the hash would tell whoever tries them all.
  const isGuessable = (explanation.obligations?.mask?.parameters ?? []).length > 0;
  return {
    ...summary,
    request_hash: isGuessable ? MASKED : request_hash.toString('hex'),
    requested_by: { type: requested_by_type, id: requested_by_id },
    explanation,
    votes: await listVotes(tx, organizationId, id),
    ...besides,
    ...(standing ? { parameters: standing.parameters } : {}),
  };
};
