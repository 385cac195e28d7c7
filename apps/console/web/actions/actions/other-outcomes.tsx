import type { ReactNode } from 'react';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { DecisionPill } from '../../design/decision-pill.tsx';
import type { Action } from './action.ts';
import { type Alternative, buildSimulation, getAlternatives } from './alternatives.ts';

type OutcomeProps = { readonly action: Action; readonly alternative: Alternative; readonly amountFrom: string | null | undefined };

const Outcome = ({ action, alternative, amountFrom }: OutcomeProps): ReactNode => {
  const { data, error } = useOperation('simulatePolicy', { body: buildSimulation(action, alternative, amountFrom) });
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

/** Requests near this one, each simulated under the present policies. Nothing is recorded. */
export const OtherOutcomes = ({ action, session }: OtherOutcomesProps): ReactNode => {
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
          <Outcome key={alternative.text} action={action} alternative={alternative} amountFrom={tool.data?.amount_from} />
        ))}
      </ul>
      <p className="quiet-text">Simulated now, under the present policies. Nothing is recorded.</p>
    </>
  );
};
