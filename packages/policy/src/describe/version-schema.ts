import { LimitDemand } from '@svc/contract/actions/obligations.ts';
import { ApprovalDemand, MaskDemand, RULE_ID_PATTERN } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { EFFECTS, type Effect } from '@svc/contract/tables/vocabulary.ts';
import { POLICY_SCHEMA_ID } from '@svc/contract/tables/wire-name.ts';
import { DEMANDS, EFFECT_TABLE, type EffectRow } from '../language/effects.ts';
import { buildConditionSchemas, buildFieldConditionSchema, MASK_PATH_PATTERN } from './condition-schema.ts';
import { buildGivenSchema } from './given-schema.ts';
import type { Schema } from './value-schema.ts';

const plain = (schema: object): Record<string, unknown> => JSON.parse(JSON.stringify(schema));
const words = (maxLength: number, description: string) => ({ type: 'string', minLength: 1, maxLength, pattern: '\\S', description });

const maskPaths = (what: string): Schema => ({
  type: 'array',
  minItems: 1,
  maxItems: POLICY_LIMITS.mask_paths_max,
  items: { type: 'string', minLength: 1, maxLength: POLICY_LIMITS.field_length_max, pattern: MASK_PATH_PATTERN },
  description: `Paths of the values to mask in ${what}.`,
});

const demands: Readonly<Record<(typeof DEMANDS)[number], Schema>> = {
  approval: {
    ...plain(ApprovalDemand),
    dependentRequired: { escalate_after_seconds: ['escalate_to_role'], escalate_to_role: ['escalate_after_seconds'] },
  },
  limit: {
    ...plain(LimitDemand),
    anyOf: [{ required: ['max_amount'] }, { required: ['max_calls'] }],
    dependentRequired: { max_calls: ['window_seconds'], per: ['window_seconds'] },
  },
  mask: {
    ...plain(MaskDemand),
    properties: { parameters: maskPaths('the parameters of the request'), result: maskPaths('the result') },
    anyOf: [{ required: ['parameters'] }, { required: ['result'] }],
  },
};

const effectRule = (effect: Effect): Schema => {
  const row: EffectRow = EFFECT_TABLE[effect];
  const others = DEMANDS.filter((name) => name !== row.demand);
  return {
    if: { properties: { effect: { const: effect } }, required: ['effect'] },
    then: {
      properties: { ...Object.fromEntries(others.map((name) => [name, false])), ...(effect === 'ALLOW' ? { if_missing: false } : {}) },
      ...(row.demand_required && row.demand !== null ? { required: [row.demand] } : {}),
    },
  };
};

const effectName = (name: Effect): Schema => ({ const: name, title: EFFECT_TABLE[name].label, description: EFFECT_TABLE[name].sentence });

const ruleSchema = (effects: readonly Effect[]): Schema => ({
  type: 'object',
  description: 'One rule: an effect, the condition under which it applies, and the reason shown to people.',
  additionalProperties: false,
  required: ['id', 'effect', 'reason'],
  properties: {
    id: { type: 'string', pattern: RULE_ID_PATTERN, description: 'Unique in the version.' },
    description: { type: 'string', maxLength: POLICY_LIMITS.description_length_max, description: 'Note for the maintainers of the rule.' },
    effect: { description: 'Effect of the rule; the strictest of all matching rules decides.', anyOf: effects.map(effectName) },
    when: {
      description: 'If omitted or empty, the rule matches every request.',
      anyOf: [{ type: 'object', maxProperties: 0 }, { $ref: '#/$defs/condition_0' }],
    },
    if_missing: { const: 'match', description: 'The rule also matches if the values it checks are unknown.' },
    reason: words(POLICY_LIMITS.reason_length_max, 'Shown to the people affected.'),
    ...demands,
  },
  allOf: effects.map(effectRule),
});

const testSchema = (): Schema => ({
  type: 'object',
  description: 'A recorded case, evaluated against the rules of this version only.',
  additionalProperties: false,
  required: ['name', 'given', 'then'],
  properties: {
    name: words(POLICY_LIMITS.test_name_length_max, 'Unique in the version.'),
    given: { description: 'Known facts of the request: fields by dotted names, nested, or both.', ...(buildGivenSchema() as object) },
    then: {
      type: 'object',
      description: 'Expected result.',
      additionalProperties: false,
      required: ['effect'],
      if: { required: ['rule'], properties: { rule: { type: 'null' } } },
      then: { properties: { effect: { const: 'BLOCK' } } },
      properties: {
        effect: { enum: EFFECTS, description: 'Expected effect.' },
        rule: { type: ['string', 'null'], pattern: RULE_ID_PATTERN, description: 'Id of the rule that decides; null if no rule decides.' },
        matches: {
          type: 'array',
          minItems: 1,
          maxItems: POLICY_LIMITS.rules_max,
          items: { type: 'string', pattern: RULE_ID_PATTERN },
          description: 'All matching rules, including those that do not decide.',
        },
      },
    },
  },
});

/**
 * Returns the JSON Schema (2020-12) of a version body with these effects, for editors: every valid body fits it. Anything that a schema cannot
 * express
 * is left to validation, such as unique ids, existing dates and the number of conditions in a version.
 */
export const buildVersionSchema = (effects: readonly Effect[] = EFFECTS) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: POLICY_SCHEMA_ID,
  title: 'Policy version',
  description: 'Rules, and the tests that must pass before they take effect.',
  type: 'object',
  additionalProperties: false,
  required: ['rules'],
  properties: {
    rules: {
      description: 'Rule ids must be unique.',
      type: 'array',
      minItems: 1,
      maxItems: POLICY_LIMITS.rules_max,
      items: { $ref: '#/$defs/rule' },
    },
    tests: {
      description: 'Activation requires at least one test, and all tests must pass.',
      type: 'array',
      maxItems: POLICY_LIMITS.tests_max,
      items: { $ref: '#/$defs/test' },
    },
  },
  $defs: {
    rule: ruleSchema(effects),
    test: testSchema(),
    field_condition: buildFieldConditionSchema(false),
    element_field_condition: buildFieldConditionSchema(true),
    ...buildConditionSchemas(),
  },
});
