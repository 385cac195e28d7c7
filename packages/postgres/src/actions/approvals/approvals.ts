import type { Approval, ApprovalCard } from '@svc/contract/actions/approval-shapes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ApprovalStatus } from '@svc/contract/tables/vocabulary.ts';
import { standsHandedTo } from '@svc/domain/actions/approvals/separation.ts';
import { uncounted } from '@svc/domain/actions/approvals/uncounted-votes.ts';
import { MASKED } from '@svc/policy/masks/mask-secrets.ts';
import { type ExpressionBuilder, sql } from 'kysely';
import { getAgentStanding } from '../../agents/agents/standing-status.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';
import { unfoldOne } from '../actions/kept-explanations.ts';
import { readBesides } from './card-besides.ts';
import { chooseRemedy, findExclusionsOfEach, judgeApprovers, NO_ONE_EXCLUDED } from './exclusions.ts';
import { amountStanding } from './standing.ts';
import { listVotes } from './votes.ts';

/** The beginning of the arguments in the current wording; they are recorded without masked values. */
const excerpt = () => {
  const whole = sql`coalesce((select w.parameters::text from approval_wordings w where w.organization_id = p.organization_id
    and w.approval_id = p.id and w.wording = p.wording), a.parameters::text)`;
  const max = LIMITS.approvals.excerptCharsMax;
  return sql<string>`(select case when length(t.whole) > ${max} then left(t.whole, ${max}) || '…' else t.whole end from (select ${whole} as whole) t)`;
};

/** Approving votes that were not withdrawn; once it was approved, those it was approved by. */
const votesGiven = sql<number>`(
  case when p.status in ('APPROVED', 'CONSUMED') and p.approved_by is not null then cardinality(p.approved_by)
  else (select count(*)::int from approval_votes v where v.organization_id = p.organization_id and v.approval_id = p.id
    and v.wording = p.wording and v.vote = 'APPROVE' and v.withdrawn_at is null) end)`;

const selectApprovals = (tx: TenantTransaction, organizationId: string) =>
  tx
    .selectFrom('approvals as p')
    .innerJoin('actions as a', (join) => join.onRef('a.organization_id', '=', 'p.organization_id').onRef('a.id', '=', 'p.action_id'))
    .where('p.organization_id', '=', organizationId)
    .select([
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
      votesGiven.as('approvals_given'),
    ]);

/** Sets the number of currently counting votes on pending approvals. */
const countNow = async (tx: TenantTransaction, organizationId: string, rows: readonly Approval[]): Promise<Approval[]> => {
  const voted = rows.filter(({ status, approvals_given }) => status === 'PENDING' && approvals_given > 0).map(({ id }) => id);
  if (voted.length === 0) return [...rows];
  const votes = Map.groupBy(await listVotes(tx, organizationId, voted), ({ approval_id }) => approval_id);
  const exclusions = await findExclusionsOfEach(tx, voted);
  return rows.map((row) => {
    const cast = votes.get(row.id);
    if (cast === undefined) return row;
    const { excluded } = exclusions.get(row.id) ?? NO_ONE_EXCLUDED;
    const counting = cast.filter((vote) => vote.vote === 'APPROVE' && uncounted({ ...row, approved_by: null }, vote, excluded) === null);
    return { ...row, approvals_given: counting.length };
  });
};

export type ApprovalFilter = {
  readonly status?: ApprovalStatus | undefined;
  readonly agent_id?: string | undefined;
  readonly environment_id?: string | undefined;
};

const FILTERED = ['status', 'agent_id', 'environment_id'] as const;

/** Ordered by the time of the request. */
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
    async ({ limit, offset }) =>
      countNow(
        tx,
        organizationId,
        await selectApprovals(tx, organizationId)
          .where(which)
          .orderBy('p.id', order === 'oldest' ? 'asc' : 'desc')
          .limit(limit)
          .offset(offset)
          .execute(),
      ),
    (max) => countUpTo(tx, tx.selectFrom('approvals as p').select('p.id').where(which), max),
  );
};

/** These approvals, oldest first. */
export const listApprovalsById = async (tx: TenantTransaction, organizationId: string, ids: readonly string[]): Promise<Approval[]> =>
  ids.length === 0
    ? []
    : countNow(
        tx,
        organizationId,
        await selectApprovals(tx, organizationId)
          .where('p.id', 'in', [...ids])
          .orderBy('p.id')
          .execute(),
      );

export const findApprovalSummary = async (tx: TenantTransaction, organizationId: string, id: string): Promise<Approval | undefined> =>
  (await countNow(tx, organizationId, await selectApprovals(tx, organizationId).where('p.id', '=', id).execute()))[0];

/** Returns an approval with the held request and every vote, or undefined if none of that id is in scope. */
export const findApprovalCard = async (tx: TenantTransaction, organizationId: string, id: string): Promise<ApprovalCard | undefined> => {
  const row = await selectApprovals(tx, organizationId)
    .where('p.id', '=', id)
    .select([
      'a.parameters',
      'a.destination',
      'a.explanation',
      'p.request_hash',
      'p.requested_by_type',
      'p.requested_by_id',
      'p.approved_by',
    ])
    .select(getAgentStanding('p').as('agent_status'))
    .executeTakeFirst();
  if (!row) return undefined;
  const { requested_by_type, requested_by_id, request_hash, approved_by, ...summary } = row;
  const explanation = await unfoldOne(tx, organizationId, row.explanation);
  const { handovers, ...besides } = await readBesides(tx, organizationId, id);
  const approvers = await judgeApprovers(tx, id);
  const votes = await listVotes(tx, organizationId, [id]);
  const isPending = row.status === 'PENDING';
  const shown = votes.map(({ approval_id: _, role: __, stands_for: ___, ...vote }, index): ApprovalCard['votes'][number] => {
    const judged = votes[index];
    const not_counted_because = judged === undefined ? null : uncounted({ ...summary, approved_by }, judged, approvers.excluded);
    return { ...vote, counts: not_counted_because === null, not_counted_because };
  });
  // An edited request would run in its current wording.
  const standing = besides.wordings.at(-1);
  // A hash of a short masked value would reveal it to a brute-force search.
  const isGuessable = (explanation.obligations?.mask?.parameters ?? []).length > 0;
  return {
    ...summary,
    request_hash: isGuessable ? MASKED : request_hash.toString('hex'),
    requested_by: { type: requested_by_type, id: requested_by_id },
    explanation,
    ...(isPending ? { approvals_given: shown.filter(({ vote, counts }) => vote === 'APPROVE' && counts).length } : {}),
    votes: shown,
    ...besides,
    handovers: handovers.map(({ to_role, returned_at, ...handover }) => ({
      ...handover,
      stands: returned_at === null && standsHandedTo({ user_id: handover.to_user_id, role: to_role }, approvers.excluded),
    })),
    approvable: isPending && approvers.approvable,
    remedy: isPending ? chooseRemedy(approvers) : null,
    ...(standing ? { parameters: standing.parameters } : {}),
  };
};
