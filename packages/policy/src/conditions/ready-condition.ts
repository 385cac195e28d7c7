import type { FieldCondition } from '@svc/contract/policies/language.ts';
import type { Test } from '../evaluation/node.ts';
import { elementWork } from '../evaluation/prices.ts';
import { FIELD_TYPES } from '../language/field-types.ts';
import { findField, type PolicyField } from '../language/find-field.ts';
import { findOperator, type OperatorRow } from '../language/operators.ts';
import { spellCondition } from '../language/spell-condition.ts';
import type { ConditionValueKind } from '../language/value-kinds.ts';
import { type Show, showField, showList } from './show-value.ts';

/** A prepared field condition: how to read, judge and show its field. */
export type ReadyCondition = {
  readonly path: string;
  readonly field: PolicyField;
  readonly op: FieldCondition['op'];
  readonly expected: unknown;
  readonly quantifier: 'any' | 'all';
  readonly operator: OperatorRow;
  readonly test: Test;
  readonly holds: (value: unknown) => boolean;
  readonly show: Show;
  /** Work units per element of a path with `*`, without the searches in it. */
  readonly perElement: number;
};

const PIECES: readonly ConditionValueKind[] = ['text', 'ending', 'part'];
const WHOLE: readonly ConditionValueKind[] = ['scalar', 'list'];

/** Returns the value in the canonical form of request values; a pattern or a network is not a value of the field and not a piece of one. */
const oneSpelling = (field: PolicyField, kind: ConditionValueKind, value: FieldCondition['value']): unknown => {
  const type = FIELD_TYPES[field.row.type];
  const canonical = PIECES.includes(kind) ? type.canonicalPiece : WHOLE.includes(kind) ? type.canonical : undefined;
  if (canonical === undefined) return value;
  return Array.isArray(value) ? value.map((element) => canonical(String(element))) : canonical(String(value));
};

/** Prepares a condition. Throws on one that was never validated. */
export const makeReady = (condition: FieldCondition, path: string): ReadyCondition => {
  const field = findField(condition.field);
  const operator = findOperator(condition.op);
  if ('fault' in field || operator === undefined) throw new Error(`A stored condition names an unknown field or operator at ${path}`);
  const show = showField(field);
  const { value } = condition;
  return {
    path,
    field,
    op: condition.op,
    expected: Array.isArray(value) ? showList(value, show) : show(value),
    quantifier: condition.quantifier ?? 'any',
    operator,
    test: operator.compile(
      value === undefined ? undefined : oneSpelling(field, operator.value, spellCondition(condition).value),
      field.row.type,
    ),
    holds: operator.value === 'none' ? () => true : FIELD_TYPES[field.row.type].holds,
    show,
    perElement: elementWork(condition.op),
  };
};
