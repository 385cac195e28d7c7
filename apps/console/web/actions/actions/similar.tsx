import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { useOperation } from '../../data/use-operation.ts';
import { Ago } from '../../design/ago.tsx';
import { DecisionChart, formatCounts } from '../../design/decision-bar.tsx';
import { DecisionPill } from '../../design/decision-pill.tsx';
import { Money } from '../../design/money.tsx';
import type { Action } from './action.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
const SHOWN = 5;
const HOUR_MS = 3_600_000;

/** The same for an hour, so that a page that is opened again uses the cache. */
const since = (): string => new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - DAYS * DAY_MS).toISOString();

/** Earlier decisions on the same agent and tool. */
export const Similar = ({ action }: { readonly action: Action }): ReactNode => {
  const { agent_id, tool } = action;
  const [from] = useState(since);
  const summary = useOperation('summarizeActions', { query: { agent_id, tool, from } });
  const recent = useOperation('searchActions', { query: { agent_id, tool, limit: SHOWN + 1 } });
  const others = (recent.data?.data ?? []).filter(({ id }) => id !== action.id).slice(0, SHOWN);
  return (
    <>
      {summary.data === undefined ? null : (
        <>
          <p>
            Last {DAYS} days: {formatCounts(summary.data.decisions)}
          </p>
          <DecisionChart
            buckets={summary.data.buckets}
            label={`Decisions of the last ${DAYS} days: ${formatCounts(summary.data.decisions)}`}
          />
        </>
      )}
      <ul className="rows">
        {others.map((each) => (
          <li key={each.id}>
            <DecisionPill decision={each.decision} />
            <a href={buildConsolePath('action', { actionId: each.id })}>
              <Ago at={each.created_at} />
            </a>
            <Money amount={each.amount} currency={each.currency} />
          </li>
        ))}
      </ul>
      <a href={`${buildConsolePath('actions')}?${new URLSearchParams({ agent_id, tool })}`}>All of them</a>
    </>
  );
};
