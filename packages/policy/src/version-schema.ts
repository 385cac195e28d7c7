import { ApprovalDemand, LimitDemand, MaskDemand, POLICY_LIMITS, RULE_ID_PATTERN } from '@svc/contract/policy-language.ts';
import { EFFECTS, type Effect } from '@svc/contract/vocabulary.ts';
import { DEMANDS, EFFECT_TABLE, type EffectRow } from './effects.ts';
import { conditionSchemas, fieldConditionSchema } from './schema/condition-schema.ts';
import { givenSchema } from './schema/given-schema.ts';
import type { Schema } from './schema/value-schema.ts';

const plain = (schema: object): Record<string, unknown> => JSON.parse(JSON.stringify(schema));
const words = (maxLength: number, description: string) => ({ type: 'string', minLength: 1, maxLength, pattern: '\\S', description });

const demands: Readonly<Record<(typeof DEMANDS)[number], Schema>> = {
  approval: plain(ApprovalDemand),
  limit: {
    ...plain(LimitDemand),
    anyOf: [{ required: ['max_amount'] }, { required: ['max_calls'] }],
    dependentRequired: { max_calls: ['window_seconds'] },
  },
  mask: { ...plain(MaskDemand), anyOf: [{ required: ['parameters'] }, { required: ['result'] }] },
};

const effectRule = (effect: Effect): Schema => {
  const row: EffectRow = EFFECT_TABLE[effect];
  const others = DEMANDS.filter((name) => name !== row.demand);
  return {
    if: { properties: { effect: { const: effect } }, required: ['effect'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
    then: {
      properties: { ...Object.fromEntries(others.map((name) => [name, false])), ...(effect === 'ALLOW' ? { if_missing: false } : {}) },
      ...(row.demand_required && row.demand !== null ? { required: [row.demand] } : {}),
    },
  };
};

const effectNames = EFFECTS.map((name) => ({ const: name, title: EFFECT_TABLE[name].label, description: EFFECT_TABLE[name].sentence }));

const ruleSchema = (): Schema => ({
  type: 'object',
  additionalProperties: false,
  required: ['id', 'effect', 'reason'],
  properties: {
    id: { type: 'string', pattern: RULE_ID_PATTERN, description: 'Unique in the version.' },
    description: { type: 'string', maxLength: POLICY_LIMITS.description_length_max },
    effect: { anyOf: effectNames },
    when: {
      description: 'Left out or empty, the rule matches every request.',
      anyOf: [{ type: 'object', maxProperties: 0 }, { $ref: '#/$defs/condition_0' }],
    },
    if_missing: { const: 'match', description: 'The rule matches too when what it asks for is not known.' },
    reason: words(POLICY_LIMITS.reason_length_max, 'Shown to the people concerned.'),
    ...demands,
  },
  allOf: EFFECTS.map(effectRule),
});

const testSchema = (): Schema => ({
  type: 'object',
  additionalProperties: false,
  required: ['name', 'given', 'then'],
  properties: {
    name: words(POLICY_LIMITS.test_name_length_max, 'Unique in the version.'),
    given: givenSchema(),
    // biome-ignore lint/suspicious/noThenProperty: the word of the recorded case on the wire
    then: {
      type: 'object',
      additionalProperties: false,
      required: ['effect'],
      if: { required: ['rule'], properties: { rule: { type: 'null' } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
      then: { properties: { effect: { const: 'BLOCK' } } },
      properties: {
        effect: { enum: EFFECTS },
        rule: { type: ['string', 'null'], pattern: RULE_ID_PATTERN, description: 'The rule that decides; null where none matches.' },
      },
    },
  },
});

/**
 * JSON Schema (2020-12) of a version body, for editors: every valid body fits it. What a schema cannot say stays to validation, such as unique
 * ids, days that there are and how many conditions a version has.
 */
export const versionSchema = () => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Policy version',
  type: 'object',
  additionalProperties: false,
  required: ['rules'],
  properties: {
    rules: { type: 'array', minItems: 1, maxItems: POLICY_LIMITS.rules_max, items: { $ref: '#/$defs/rule' } },
    tests: { type: 'array', maxItems: POLICY_LIMITS.tests_max, items: { $ref: '#/$defs/test' } },
  },
  $defs: { rule: ruleSchema(), test: testSchema(), field_condition: fieldConditionSchema(), ...conditionSchemas() },
});
