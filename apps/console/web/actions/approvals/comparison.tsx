import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { formatMoney } from '../../data/money-text.ts';
import { useOperation } from '../../data/use-operation.ts';
import { formatCounts } from '../../design/decision-bar.tsx';
import type { ActionSummary } from '../actions/action.ts';
import type { ApprovalDetails } from './summary.tsx';

const COMPARED_MAX = 100;

const countBy = (rows: readonly ActionSummary[]) => {
  const counts = { ALLOW: 0, MASK: 0, LIMIT: 0, REQUIRE_APPROVAL: 0, BLOCK: 0 };
  for (const { decision } of rows) counts[decision] += 1;
  return counts;
};

const ratioText = (amount: number, largest: number): string =>
  largest === 0
    ? ''
    : amount > largest
      ? `, ${(amount / largest).toFixed(1)} times the largest of them`
      : ', not more than the largest of them';

/** Compares this amount with the smallest, the median and the largest of earlier ones, in the same currency. */
const Amounts = ({ approval, rows }: { readonly approval: ApprovalDetails; readonly rows: readonly ActionSummary[] }): ReactNode => {
  const { amount, currency } = approval;
  const earlier = rows.flatMap((row) => (row.amount !== null && row.currency === currency ? [row.amount] : []));
  const sorted = earlier.toSorted((one, other) => one - other);
  const [min, median, max] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (amount === null || min === undefined || median === undefined || max === undefined) return null;
  const most = Math.max(amount, max, 1);
  const at = (value: number): number => 2 + (value / most) * 296;
  return (
    <>
      <svg className="amounts" viewBox="0 0 300 16" role="img" aria-label="Amounts of earlier requests, and this one">
        <line x1={at(min)} x2={at(max)} y1={8} y2={8} />
        <circle cx={at(median)} cy={8} r={3} data-tone="neutral" />
        <rect x={at(amount) - 2} y={1} width={4} height={14} data-tone={amount > max ? 'held' : 'allowed'} />
      </svg>
      <p>
        {formatMoney(amount, currency)}
        {ratioText(amount, max)}. Earlier: {formatMoney(min, currency)} to {formatMoney(max, currency)}, median{' '}
        {formatMoney(median, currency)}.
      </p>
    </>
  );
};

/** The newest earlier requests of the same agent to the same tool. */
export const Comparison = ({ approval }: { readonly approval: ApprovalDetails }): ReactNode => {
  const { agent_id, tool, action_id } = approval;
  const { data, error } = useOperation('searchActions', { query: { agent_id, tool, limit: COMPARED_MAX } });
  if (error) return <p>{error.message}</p>;
  if (data === undefined) return <p className="quiet-text">Loading…</p>;
  const rows = data.data.filter(({ id }) => id < action_id);
  if (rows.length === 0) return <p>This is the first request of this agent for this tool.</p>;
  return (
    <>
      <Amounts approval={approval} rows={rows} />
      <p>
        Last {rows.length} {rows.length === 1 ? 'request' : 'requests'}: {formatCounts(countBy(rows))}.{' '}
        <a href={`${buildConsolePath('actions')}?${new URLSearchParams({ agent_id, tool })}`}>Show them</a>
      </p>
    </>
  );
};
