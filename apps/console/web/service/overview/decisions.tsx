import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { EFFECTS } from '@svc/contract/tables/vocabulary.ts';
import type { ReactNode } from 'react';
import { useOperation } from '../../data/use-operation.ts';
import { DecisionBar, DecisionChart, formatCounts } from '../../design/decision-bar.tsx';
import { DecisionPill } from '../../design/decision-pill.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';

type Summary = OperationResult<'summarizeActions'>;
type Groups = Summary['by_tool'];

const LIVE_MS = 30_000;
const SHOWN = 5;

const listPath = (query: Readonly<Record<string, string>>): string => `${buildConsolePath('actions')}?${new URLSearchParams(query)}`;

type GroupListProps = {
  readonly title: string;
  readonly groups: Groups;
  readonly queryOf: (key: string) => Readonly<Record<string, string>>;
};

const GroupList = ({ title, groups, queryOf }: GroupListProps): ReactNode => (
  <section aria-label={title}>
    <h3>{title}</h3>
    {groups.length === 0 ? <p className="quiet-text">None.</p> : null}
    <ul className="rows">
      {groups.slice(0, SHOWN).map(({ key, name, total, decisions }) => (
        <li key={key}>
          <a href={listPath(queryOf(key ?? ''))}>
            <bdi>{name}</bdi>
          </a>
          <span title={formatCounts(decisions)}>{total}</span>
          <DecisionBar counts={decisions} total={total} />
        </li>
      ))}
    </ul>
  </section>
);

const Content = ({ summary }: { readonly summary: Summary }): ReactNode => {
  const { from, to, total, decisions, buckets, by_tool, by_agent, by_reason, not_enforced, failed } = summary;
  const range = { from, to };
  return (
    <>
      <DecisionChart buckets={buckets} label={`Decisions per hour: ${formatCounts(decisions)}`} />
      <ul className="counts">
        <li>
          <a href={listPath(range)}>{total} in total</a>
        </li>
        {EFFECTS.map((decision) =>
          decisions[decision] === 0 ? null : (
            <li key={decision}>
              <DecisionPill decision={decision} /> <a href={listPath({ ...range, decision })}>{decisions[decision]}</a>
            </li>
          ),
        )}
        {failed === 0 ? null : (
          <li>
            <a href={listPath({ ...range, status: 'FAILED' })}>{failed} failed</a>
          </li>
        )}
        {not_enforced === 0 ? null : (
          <li>
            <a href={listPath({ ...range, mode: 'OBSERVE' })}>{not_enforced} would not have run under Enforce</a>
          </li>
        )}
      </ul>
      <div className="thirds">
        <GroupList title="By tool" groups={by_tool} queryOf={(tool) => ({ ...range, tool })} />
        <GroupList title="By agent" groups={by_agent} queryOf={(agent_id) => ({ ...range, agent_id })} />
        <GroupList title="Refused or held, by reason" groups={by_reason} queryOf={(reason) => ({ ...range, reason })} />
      </div>
    </>
  );
};

/** The decisions of the last 24 hours. Every number is a link to the actions that it counts. */
export const Decisions = (): ReactNode => {
  const { data, error } = useOperation('summarizeActions', {}, { everyMs: LIVE_MS });
  return (
    <Panel title="Decisions in the last 24 hours">
      <Problem error={error ?? undefined} />
      {data === undefined && !error ? <Skeleton lines={4} /> : null}
      {data?.total === 0 ? (
        <p>
          No agent has requested an action in this time. <a href="/docs/guides/first-governed-tool">Connect an agent</a>
        </p>
      ) : null}
      {data === undefined || data.total === 0 ? null : <Content summary={data} />}
    </Panel>
  );
};
