import { APPROVER_ROLE_PATTERN, OPERATORS, POLICY_LIMITS, RULE_ID_PATTERN } from '@svc/contract/policy-language.ts';
import { EFFECTS, POLICY_SCOPES } from '@svc/contract/vocabulary.ts';
import { APPROVAL_DEFAULTS, EFFECT_TABLE, type EffectRow, strictness } from './effects.ts';
import { FIELD_TYPES } from './field-types.ts';
import { FIELDS, type FieldRow } from './fields.ts';
import { GROUPS } from './groups.ts';
import { OPERATOR_TABLE, type OperatorRow } from './operators.ts';
import { VALUE_KINDS, type ValueKindRow } from './value-kinds.ts';

const fitting = (row: FieldRow): string[] => OPERATORS.filter((name) => (OPERATOR_TABLE[name] as OperatorRow).fits.includes(row.type));

const describeField = (row: FieldRow) => ({
  name: row.name,
  /** `key`: any text after the prefix names a member; `path`: a dotted path does; null: the name is whole. */
  family: row.family ?? null,
  type: row.type,
  takes: row.spelling ?? FIELD_TYPES[row.type].phrase,
  unit: row.unit ?? null,
  values: row.values ?? null,
  min: row.min ?? null,
  max: row.max ?? null,
  pattern: row.pattern ?? null,
  operators: fitting(row),
  example: row.example,
  sentence: row.sentence,
  /** Null when requests hold it; otherwise rules find it unknown, for this reason. */
  unknown_because: row.unknown_because ?? null,
});

const describeOperator = (name: (typeof OPERATORS)[number]) => {
  const row: OperatorRow = OPERATOR_TABLE[name];
  return { name, label: row.label, sentence: row.sentence, value: row.value, fits: row.fits, quantifier_required_with_star: row.negative };
};

const describeValues = ([name, row]: readonly [string, ValueKindRow]) => ({
  name,
  shape: row.shape,
  sentence: row.sentence,
  example: row.example,
  /** Where it differs for members of the parameters. */
  json_example: row.json_example ?? null,
  pattern: row.pattern ?? null,
});

const whole = (min: number, max: number, unit: string | null, fallback: number | null) => ({
  type: 'integer',
  min,
  max,
  unit,
  default: fallback,
});

const demandMembers = {
  approval: {
    approver_role: { type: 'string', pattern: APPROVER_ROLE_PATTERN, default: APPROVAL_DEFAULTS.approver_role },
    quorum: whole(1, POLICY_LIMITS.quorum_max, 'people', APPROVAL_DEFAULTS.quorum),
    expires_in_seconds: whole(
      POLICY_LIMITS.approval_seconds_min,
      POLICY_LIMITS.approval_seconds_max,
      'seconds',
      APPROVAL_DEFAULTS.expires_in_seconds,
    ),
    step_up: { type: 'boolean', default: APPROVAL_DEFAULTS.step_up },
  },
  limit: {
    max_amount: whole(0, Number.MAX_SAFE_INTEGER, 'minor units of the currency of the version', null),
    max_calls: { ...whole(1, POLICY_LIMITS.calls_max, 'calls', null), requires: 'window_seconds' },
    window_seconds: whole(1, POLICY_LIMITS.window_seconds_max, 'seconds', null),
  },
  mask: {
    parameters: { type: 'path_list', max: POLICY_LIMITS.mask_paths_max, example: ['customer.iban'] },
    result: { type: 'path_list', max: POLICY_LIMITS.mask_paths_max, example: ['items.*.email'] },
  },
};

const describeEffect = (name: (typeof EFFECTS)[number]) => {
  const row: EffectRow = EFFECT_TABLE[name];
  return {
    name,
    strictness: strictness(name),
    label: row.label,
    sentence: row.sentence,
    may_match_on_missing: name !== 'ALLOW',
    demand: row.demand === null ? null : { member: row.demand, required: row.demand_required, members: demandMembers[row.demand] },
  };
};

const QUANTIFIERS = [
  { name: 'any', sentence: 'One element the path leads to is enough; none at all is false.' },
  { name: 'all', sentence: 'Every element the path leads to must hold; none at all is true.' },
];

/** All an editor needs to draw and check rules without other knowledge. */
export const builderSchema = () => ({
  fields: FIELDS.map(describeField),
  operators: OPERATORS.map(describeOperator),
  /** What the `value` of a condition holds, by the name an operator gives in its own `value`. */
  values: Object.entries(VALUE_KINDS).map(describeValues),
  groups: GROUPS,
  quantifiers: QUANTIFIERS,
  effects: EFFECTS.map(describeEffect),
  binding_scopes: POLICY_SCOPES,
  rule_id_pattern: RULE_ID_PATTERN,
  limits: POLICY_LIMITS,
});
