import { Check, Clock, Minus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Action } from './action.ts';

const STAGES = [
  ['identity', 'Identity'],
  ['environment', 'Environment'],
  ['agent', 'Agent'],
  ['tool', 'Tool'],
  ['request', 'Request'],
  ['destination', 'Destination'],
  ['authority', 'Authority'],
  ['currency', 'Currency'],
  ['policy', 'Policy'],
  ['obligations', 'Limits and masks'],
  ['approval', 'Approval'],
  ['credential', 'Credential'],
] as const;

const SIGNS = {
  passed: { Icon: Check, tone: 'allowed', word: 'passed' },
  refused: { Icon: X, tone: 'blocked', word: 'refused' },
  held: { Icon: Clock, tone: 'held', word: 'held' },
  relaxed: { Icon: Minus, tone: 'unknown', word: 'would refuse, not enforced' },
  skipped: { Icon: Minus, tone: 'unknown', word: 'skipped' },
} as const;
const NOT_REACHED = { Icon: Minus, tone: 'unknown', word: 'not reached' } as const;

/** Every check in its order, with the result of each; checks after a refusal were not reached. */
export const Stages = ({ action }: { readonly action: Action }): ReactNode => (
  <ol className="stages">
    {STAGES.map(([stage, name]) => {
      const finding = action.explanation.stages.find((each) => each.stage === stage);
      const { Icon, tone, word } = finding === undefined ? NOT_REACHED : SIGNS[finding.outcome];
      return (
        <li key={stage} id={`stage-${stage}`} data-reached={finding !== undefined || undefined}>
          <Icon size={16} data-tone={tone} aria-hidden />
          <strong>{name}</strong>
          <span>
            {word}
            {finding?.code === undefined ? null : (
              <>
                {' '}
                <code>{finding.code}</code>
              </>
            )}
            {finding?.note === undefined ? null : <bdi className="quiet-text"> {finding.note}</bdi>}
          </span>
        </li>
      );
    })}
  </ol>
);
