import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { Check as CheckIcon, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { getShownJson } from '../../data/shown-json.ts';
import { DecisionPill } from '../../design/decision-pill.tsx';
import type { Check } from './policy.ts';

/** Probable mistakes, each with a request that shows it. */
export const Warnings = ({ warnings, analysis }: Pick<Check, 'warnings' | 'analysis'>): ReactNode => (
  <>
    {warnings.length === 0 ? <p>No warnings.</p> : null}
    <ul className="conditions">
      {warnings.map(({ kind, rule_id, pointer, message, example }) => (
        <li key={`${kind} ${pointer} ${message}`} className="condition">
          <TriangleAlert size={16} data-tone="held" aria-hidden />
          <span>
            <code>{rule_id}</code> {message} <span className="quiet-text">{pointer}</span>
            {example === undefined ? null : (
              <details>
                <summary>A request that shows it</summary>
                <pre className="request">{getShownJson(example)}</pre>
              </details>
            )}
          </span>
        </li>
      ))}
    </ul>
    {analysis.complete ? null : <p className="quiet-text">{analysis.note}</p>}
  </>
);

type TestsProps = Pick<Check, 'tests' | 'untested_rules'>;

/** The result of each test, the failed ones first. */
export const Tests = ({ tests, untested_rules }: TestsProps): ReactNode => (
  <>
    <p>
      {tests.passed} {tests.passed === 1 ? 'test passes' : 'tests pass'}
      {tests.failed === 0 ? '' : `, ${tests.failed} ${tests.failed === 1 ? 'fails' : 'fail'}`}.
    </p>
    <ul className="conditions">
      {tests.results
        .toSorted((one, other) => Number(one.passed) - Number(other.passed))
        .map(({ name, passed, actual, difference }) => {
          const Icon = passed ? CheckIcon : X;
          return (
            <li key={name} className="condition">
              <Icon size={16} data-tone={passed ? 'allowed' : 'blocked'} role="img" aria-label={passed ? 'Passes' : 'Fails'} />
              <span>
                <bdi>{name}</bdi> {passed ? <DecisionPill decision={actual.effect} /> : <span className="quiet-text">{difference}</span>}
              </span>
            </li>
          );
        })}
    </ul>
    {untested_rules.length === 0 ? null : (
      <p className="quiet-text">
        No test reaches: <code>{untested_rules.join(', ')}</code>
      </p>
    )}
  </>
);

const VERDICTS = {
  PROVED: { Icon: CheckIcon, tone: 'allowed', word: 'Proved' },
  VIOLATED: { Icon: X, tone: 'blocked', word: 'Violated' },
  UNDECIDED: { Icon: TriangleAlert, tone: 'held', word: 'Not proved' },
} as const;

/** The invariants of the organization, judged as if the rules were active. */
export const Invariants = ({ invariants, invariants_note }: Pick<Check, 'invariants' | 'invariants_note'>): ReactNode => (
  <>
    {invariants.length === 0 ? <p>No invariants.</p> : null}
    <ul className="conditions">
      {invariants.map(({ id, name, verdict, counter_example }) => {
        const { Icon, tone, word } = VERDICTS[verdict];
        return (
          <li key={id} className="condition">
            <Icon size={16} data-tone={tone} aria-hidden />
            <span>
              <bdi>{name}</bdi> <span className="quiet-text">{word}</span>
              {counter_example === null ? null : (
                <details>
                  <summary>A request that violates it</summary>
                  <pre className="request">{getShownJson(counter_example)}</pre>
                </details>
              )}
            </span>
          </li>
        );
      })}
    </ul>
    {invariants_note === null ? null : <p className="quiet-text">{invariants_note}</p>}
  </>
);

const CHANGES = [
  ['newly_blocked', 'newly blocked'],
  ['newly_held', 'newly held'],
  ['newly_allowed', 'newly allowed'],
  ['other_terms', 'with other limits or masks'],
] as const;

/** Recorded actions that the rules would decide differently. */
export const Replay = ({ replay, replay_note }: Pick<Check, 'replay' | 'replay_note'>): ReactNode => {
  if (replay === null) return <p className="quiet-text">{replay_note}</p>;
  const { actions, days, examples, complete } = replay;
  return (
    <>
      <p>
        {actions.read} {actions.read === 1 ? 'action' : 'actions'} of the last {days} days:{' '}
        {CHANGES.map(([name, words]) => `${actions[name]} ${words}`).join(', ')}, {actions.unknown} unknown.
        {complete ? '' : ' Older actions were left out.'}
      </p>
      <ul className="rows">
        {examples.map(({ action_id, tool, from, to }) => (
          <li key={action_id}>
            <a href={buildConsolePath('action', { actionId: action_id })}>
              <bdi>{tool}</bdi>
            </a>
            <span>
              <DecisionPill decision={from.effect} /> → <DecisionPill decision={to.effect} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
};
