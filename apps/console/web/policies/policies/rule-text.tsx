import type { OperatorName, PolicyRule } from '@svc/contract/policies/language.ts';
import type { ReactNode } from 'react';
import { formatComparison } from '../../design/condition-text.ts';
import { DecisionPill } from '../../design/decision-pill.tsx';

type Json = Readonly<Record<string, unknown>>;

/** A condition in words, groups in parentheses. */
const conditionText = (condition: unknown, currency: string): string => {
  if (typeof condition !== 'object' || condition === null) return '';
  const { all, any, not, any_element, field, op, value } = condition as Json;
  const joined = (list: unknown, word: string): string =>
    (list as readonly unknown[]).map((each) => conditionText(each, currency)).join(` ${word} `);
  if (Array.isArray(all)) return joined(all, 'and');
  if (Array.isArray(any)) return `(${joined(any, 'or')})`;
  if (not !== undefined) return `not (${conditionText(not, currency)})`;
  if (any_element !== undefined)
    return `an element of ${(any_element as Json).of as string} meets (${conditionText((any_element as Json).meets, currency)})`;
  if (typeof field !== 'string' || typeof op !== 'string') return 'always';
  return formatComparison({ field, op: op as OperatorName, value }, currency);
};

type RuleListProps = { readonly rules: readonly PolicyRule[]; readonly currency: string };

/** The rules of a version in words. */
export const RuleList = ({ rules, currency }: RuleListProps): ReactNode => (
  <ol className="rule-traces">
    {rules.map((rule) => (
      <li key={rule.id} id={`rule-${rule.id}`} className="rule-trace">
        <div className="rule-head">
          <DecisionPill decision={rule.effect} />
          <code>{rule.id}</code>
        </div>
        <p>
          <bdi>{rule.reason}</bdi>
        </p>
        <p className="quiet-text">
          When <bdi>{conditionText(rule.when, currency) || 'always'}</bdi>
          {rule.if_missing === 'match' ? ', also if a field is missing' : ''}
        </p>
      </li>
    ))}
  </ol>
);
