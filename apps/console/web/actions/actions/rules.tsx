import type { ConditionTrace } from '@svc/contract/policies/language.ts';
import { Check, CircleHelp, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { serializeValue } from '../../design/condition-text.ts';
import { DecisionPill } from '../../design/decision-pill.tsx';
import type { Action } from './action.ts';
import { formatCondition, formatDistance, getDecidingRule, getRules, type Rule, UNKNOWN_WORDS } from './explanation.ts';

const SIGNS = {
  true: { Icon: Check, tone: 'allowed', word: 'Holds' },
  false: { Icon: X, tone: 'blocked', word: 'Does not hold' },
  unknown: { Icon: CircleHelp, tone: 'unknown', word: 'Unknown' },
} as const;

type ConditionProps = { readonly condition: ConditionTrace; readonly currency: string | null; readonly anchor: string };

const Condition = ({ condition, currency, anchor }: ConditionProps): ReactNode => {
  const { field, actual, outcome, unknown_because } = condition;
  const { Icon, tone, word } = SIGNS[outcome];
  const distance = outcome === 'unknown' ? undefined : formatDistance(condition, currency);
  return (
    <li id={anchor} className="condition">
      <Icon size={16} data-tone={tone} role="img" aria-label={word} />
      <span>
        <bdi>{formatCondition(condition, currency)}</bdi>
        <span className="quiet-text">
          {unknown_because === null ? null : `: ${UNKNOWN_WORDS[unknown_because]}`}
          {actual === undefined ? null : (
            <>
              {' '}
              · request: <bdi>{serializeValue(field, actual, currency)}</bdi>
            </>
          )}
          {distance === undefined ? null : ` · ${distance}`}
        </span>
      </span>
    </li>
  );
};

const OUTCOME_WORDS = { matched: 'matches', not_matched: 'does not match', unknown: 'is unknown' } as const;

type RuleProps = { readonly rule: Rule; readonly action: Action; readonly isDeciding: boolean };

const RuleTrace = ({ rule, action, isDeciding }: RuleProps): ReactNode => {
  const { id, policy_name, version_number, effect, reason, outcome, matched_on_missing, conditions } = rule;
  const currency = rule.currency ?? action.currency;
  const text = isDeciding ? 'decides' : outcome === 'matched' ? 'matches, but a stricter rule decides' : OUTCOME_WORDS[outcome];
  return (
    <li id={`rule-${id}`} className="rule-trace" data-deciding={isDeciding || undefined}>
      <div className="rule-head">
        <DecisionPill decision={effect} />
        <code>{id}</code>
        <span className="quiet-text">
          <bdi>{policy_name}</bdi>, version {version_number} · {text}
          {matched_on_missing ? ' because a field is missing' : ''}
        </span>
      </div>
      <p>
        <bdi>{reason}</bdi>
      </p>
      {conditions.length === 0 ? (
        <p className="quiet-text">No conditions: the rule matches every request.</p>
      ) : (
        <ul className="conditions">
          {conditions.map((condition) => (
            <Condition
              key={condition.path}
              condition={condition}
              currency={currency}
              anchor={`condition-${id}${condition.path.replaceAll('/', '-')}`}
            />
          ))}
        </ul>
      )}
    </li>
  );
};

/** Every evaluated rule with the outcome of each of its conditions, the deciding rule first. */
export const Rules = ({ action }: { readonly action: Action }): ReactNode => {
  const deciding = getDecidingRule(action);
  const rules = getRules(action);
  const { skipped_rules } = action.explanation;
  return (
    <>
      {rules.length === 0 ? <p>No rule was evaluated.</p> : null}
      <ol className="rule-traces">
        {rules.map((rule) => (
          <RuleTrace
            key={`${rule.version_id} ${rule.id}`}
            rule={rule}
            action={action}
            isDeciding={rule.id === deciding?.id && rule.version_id === deciding.version_id}
          />
        ))}
      </ol>
      {skipped_rules === 0 ? null : (
        <p className="quiet-text">
          {skipped_rules} more active {skipped_rules === 1 ? 'rule is' : 'rules are'} for other tools.
        </p>
      )}
    </>
  );
};
