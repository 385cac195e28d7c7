import type { FieldCondition } from '@svc/contract/policies/language.ts';
import { findField } from './find-field.ts';
import { hostPieceSpelling, hostSpelling } from './host-value.ts';
import { findOperator } from './operators.ts';
import type { ConditionValueKind } from './value-kinds.ts';

const spell = (kind: ConditionValueKind, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  if (kind === 'scalar' || kind === 'list') return hostSpelling(value) ?? value;
  if (kind === 'text' || kind === 'ending' || kind === 'part') return hostPieceSpelling(kind, value) ?? value;
  return value;
};

/** Returns a condition on a host with canonical values; any other unchanged. The author's text is kept and shown elsewhere. */
export const spellCondition = (condition: FieldCondition): FieldCondition => {
  const field = findField(condition.field);
  const operator = findOperator(condition.op);
  if ('fault' in field || field.row.type !== 'host' || operator === undefined) return condition;
  const { value } = condition;
  const spelled = Array.isArray(value) ? value.map((element) => spell(operator.value, element)) : spell(operator.value, value);
  return spelled === undefined ? condition : { ...condition, value: spelled as NonNullable<FieldCondition['value']> };
};
