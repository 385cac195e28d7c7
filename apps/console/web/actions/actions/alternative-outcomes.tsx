import type { ReactNode } from 'react';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { DecisionPill } from '../../design/decision-pill.tsx';
import type { Action } from './action.ts';
import { type Alternative, buildSimulation, getAlternatives } from './alternatives.ts';

type OutcomeProps = { readonly action: Action; readonly alternative: Alternative; readonly amountPointer: string | null | undefined };

const Outcome = ({ action, alternative, amountPointer }: OutcomeProps): ReactNode => {
  const { data, error } = useOperation('simulatePolicy', { body: buildSimulation(action, alternative, amountPointer) });
  return (
    <li>
      <strong>
        <bdi>{alternative.text}</bdi>
      </strong>
      <span>
        {data === undefined ? null : (
          <>
            <DecisionPill decision={data.decision} /> <bdi className="quiet-text">{data.reason}</bdi>
          </>
        )}
        {data === undefined && !error ? 'Simulating…' : null}
        {error ? error.message : null}
      </span>
    </li>
  );
};

type OtherOutcomesProps = { readonly action: Action; readonly session: Session };

/** Lists variants of a request, each with its simulated decision under the current policies. Nothing is recorded. */
export const AlternativeOutcomes = ({ action, session }: OtherOutcomesProps): ReactNode => {
  const alternatives = getAlternatives(action);
  const mayRead = action.tool_id !== null && may(session, 'tool:read');
  const tool = useOperation('getTool', { params: { toolId: action.tool_id ?? '' } }, { isEnabled: mayRead && alternatives.length > 0 });
  if (alternatives.length === 0) return <p>No limit in the evaluated rules leads to a different decision.</p>;
  if (!may(session, 'policy:simulate')) {
    return (
      <ul className="outcomes">
        {alternatives.map(({ text }) => (
          <li key={text}>
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    );
  }
  if (mayRead && tool.isPending) return <p>Simulating…</p>;
  return (
    <>
      <ul className="outcomes">
        {alternatives.map((alternative) => (
          <Outcome key={alternative.text} action={action} alternative={alternative} amountPointer={tool.data?.amount_from} />
        ))}
      </ul>
      <p className="quiet-text">Simulated with the current policies. Nothing is recorded.</p>
    </>
  );
};
