import { type ReactNode, useState } from 'react';
import { useOperation } from '../../data/use-operation.ts';
import { formatCounts } from '../../design/decision-bar.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';

const DAYS = 7;
const DAY_MS = 86_400_000;

/** Shows the effect that each mode would have had on the requests of the last days. */
export const ModeEffects = ({ environmentId }: { readonly environmentId: string }): ReactNode => {
  const [from] = useState(() => new Date(Date.now() - DAYS * DAY_MS).toISOString());
  const { data, error } = useOperation('summarizeActions', { query: { from }, environmentId });
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Skeleton lines={3} />;
  const { decisions, total } = data;
  const stopped = decisions.BLOCK + decisions.REQUIRE_APPROVAL;
  return (
    <section aria-label="Effect of each mode">
      <p>
        Last {DAYS} days: {total} {total === 1 ? 'request' : 'requests'}, {formatCounts(decisions)}.
      </p>
      <ul>
        <li>Enforcing: {stopped === 0 ? 'all of them run' : `${stopped} are blocked or wait for approval`}.</li>
        <li>Observing: all {total} run; the decisions are recorded only.</li>
        <li>Simulating: none of them runs; the decisions are recorded only.</li>
      </ul>
    </section>
  );
};
