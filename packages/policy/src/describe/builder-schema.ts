import { OPERATORS, RULE_ID_PATTERN } from '@svc/contract/policies/language.ts';
import { OPERATOR_LABELS } from '@svc/contract/policies/operator-labels.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { EFFECTS, POLICY_SCOPES } from '@svc/contract/tables/vocabulary.ts';
import { EFFECT_TABLE, type EffectRow, strictness } from '../language/effects.ts';
import type { FieldRow } from '../language/field-row.ts';
import { FIELD_TYPES } from '../language/field-types.ts';
import { FIELDS } from '../language/fields.ts';
import { GROUPS } from '../language/groups.ts';
import { OPERATOR_TABLE, type OperatorRow } from '../language/operators.ts';
import { type ConditionValueKind, VALUE_KINDS } from '../language/value-kinds.ts';
import { PATH_PATTERN, WITH_STAR } from './condition-schema.ts';
import { demandMembers } from './demand-members.ts';
import { INPUT_FORM, leftToTheService, structure } from './structure.ts';
import { describeValues, listFieldTypes } from './value-rules.ts';

const fitting = (row: FieldRow): string[] => OPERATORS.filter((name) => (OPERATOR_TABLE[name] as OperatorRow).fits.includes(row.type));

const describeField = (row: FieldRow) => ({
  name: row.name,
  /** `key`: any text after the prefix names a member; `path`: a dotted path does; null: the name is complete. */
  family: row.family ?? null,
  /** Pattern of the text after the name of a family. */
  member_pattern: row.family === undefined ? null : row.family === 'key' ? (row.key_pattern ?? '^[\\s\\S]+$') : PATH_PATTERN,
  type: row.type,
  takes: row.spelling ?? FIELD_TYPES[row.type].phrase,
  unit: row.unit ?? null,
  values: row.values ?? null,
  min: row.min ?? null,
  max: row.max ?? null,
  pattern: row.pattern ?? null,
  /** Pattern of list elements, and so of the values they are compared with. */
  element_pattern: row.element_pattern ?? null,
  operators: fitting(row),
  example: row.example,
  sentence: row.sentence,
  /** Null if requests contain it; otherwise the reason why rules find it unknown. */
  unknown_because: row.unknown_because ?? null,
});

const describeOperator = (name: (typeof OPERATORS)[number]) => {
  const row: OperatorRow = OPERATOR_TABLE[name];
  return {
    name,
    label: OPERATOR_LABELS[name],
    sentence: row.sentence,
    value: row.value,
    fits: row.fits,
    quantifier_required_with_star: row.negative,
  };
};

const describeEffect = (name: (typeof EFFECTS)[number]) => {
  const row: EffectRow = EFFECT_TABLE[name];
  return {
    name,
    strictness: strictness(name),
    label: row.label,
    sentence: row.sentence,
    may_match_on_missing: name !== 'ALLOW',
    demand: row.demand === null ? null : { member: row.demand, required: row.demand_required, ...demandMembers[row.demand] },
  };
};

const QUANTIFIERS = [
  { name: 'any', sentence: 'True if at least one element matches; false if the path leads to no element.' },
  { name: 'all', sentence: 'True if every element matches; also true if the path leads to no element.' },
];

/** Returns everything that an editor needs to render and check rules without other knowledge. */
export const buildPolicyBuilderSchema = () => ({
  fields: FIELDS.map(describeField),
  operators: OPERATORS.map(describeOperator),
  /** The `value` of a condition, by the kind that an operator names in its own `value`. */
  values: (Object.keys(VALUE_KINDS) as ConditionValueKind[]).map(describeValues),
  groups: GROUPS,
  quantifiers: QUANTIFIERS,
  /** A path with a star leads to several values. */
  star_pattern: WITH_STAR,
  effects: EFFECTS.map(describeEffect),
  /** Members of each part. */
  structure,
  given: INPUT_FORM,
  field_types: listFieldTypes,
  left_to_the_service: leftToTheService,
  binding_scopes: POLICY_SCOPES,
  rule_id_pattern: RULE_ID_PATTERN,
  limits: POLICY_LIMITS,
});
