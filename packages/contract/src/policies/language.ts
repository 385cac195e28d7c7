import { type Static, type TSchema, Type } from 'typebox';
import { LimitDemand, PolicyObligations } from '../actions/obligations.ts';
import { closedObject, enumSchema, nullable, wholeNumber } from '../rows/schema.ts';
import { getIdPattern } from '../tables/ids.ts';
import { POLICY_LIMITS } from '../tables/limits/policy-limits.ts';
import { EFFECTS, POLICY_SCOPES } from '../tables/vocabulary.ts';

/** Operators of a condition. The builder schema describes each and the fields that it fits. */
export const OPERATORS = [
  'eq',
  'neq',
  'in',
  'not_in',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'matches',
  'eq_ignore_case',
  'path_under',
  'email_domain_in',
  'cidr',
  'is_true',
  'is_false',
  'within_hours',
  'on_weekdays',
  'exists',
  'not_exists',
] as const;
export type OperatorName = (typeof OPERATORS)[number];

/** Days of the week, in their order. */
export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Maximum count of calls of an agent for the velocity fields; a higher count is stated as this number. */
export const VELOCITY_CALLS_MAX = 10_000;

/** Pattern of a rule id: at most 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit. */
export const RULE_ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';
/** Pattern of the approving role: the name of a built-in role or the id of any role. */
export const APPROVER_ROLE_PATTERN = '^[A-Za-z][A-Za-z0-9_-]{0,63}$';

const words = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const list = <Item extends TSchema>(item: Item, maxItems: number) => Type.Array(item, { minItems: 1, maxItems });

export const ConditionScalar = Type.Union([Type.String({ maxLength: POLICY_LIMITS.value_length_max }), Type.Number(), Type.Boolean()]);
export type ConditionScalar = Static<typeof ConditionScalar>;

/** Condition on one field. `quantifier` only with a `*` in a parameters path: whether one element suffices or every one must match. */
export const FieldCondition = closedObject({
  field: words(POLICY_LIMITS.field_length_max),
  op: enumSchema(OPERATORS),
  value: Type.Optional(Type.Union([ConditionScalar, list(ConditionScalar, POLICY_LIMITS.values_max)])),
  quantifier: Type.Optional(enumSchema(['any', 'all'])),
});
export type FieldCondition = Static<typeof FieldCondition>;

const Nested = Type.Ref('PolicyCondition');
/**
 * A field condition, or `all`, `any` or `not` over conditions, nested at most `depth_max` groups deep. `any_element` matches if one element
 * of a list meets a condition as a whole: the fields in `meets` begin with the path in `of`.
 */
export const PolicyCondition = Type.Cyclic(
  {
    PolicyCondition: Type.Union([
      FieldCondition,
      closedObject({ all: list(Nested, POLICY_LIMITS.conditions_max) }),
      closedObject({ any: list(Nested, POLICY_LIMITS.conditions_max) }),
      closedObject({ not: Nested }),
      closedObject({ any_element: closedObject({ of: words(POLICY_LIMITS.field_length_max), meets: Nested }) }),
    ]),
  },
  'PolicyCondition',
);
export type PolicyCondition = Static<typeof PolicyCondition>;

/**
 * Obligation of REQUIRE_APPROVAL. Defaults: role `approver`, or `owner` if people are named, quorum 1, 3600 seconds, no step-up and no
 * escalation.
 */
export const ApprovalDemand = closedObject({
  approver_role: Type.Optional(Type.String({ pattern: APPROVER_ROLE_PATTERN, description: 'Role of the approvers, by name or id.' })),
  quorum: Type.Optional(wholeNumber(1, POLICY_LIMITS.quorum_max, 'Number of different people who must approve.')),
  expires_in_seconds: Type.Optional(
    wholeNumber(POLICY_LIMITS.approval_seconds_min, POLICY_LIMITS.approval_seconds_max, 'Time until the request expires.'),
  ),
  step_up: Type.Optional(Type.Boolean({ description: 'True if approvers must re-authenticate.' })),
  approvers: Type.Optional(
    Type.Array(Type.String({ pattern: getIdPattern('user') }), {
      minItems: 1,
      maxItems: POLICY_LIMITS.approvers_max,
      uniqueItems: true,
      description: 'Ids of people who may approve in addition to those with the role.',
    }),
  ),
  escalate_after_seconds: Type.Optional(
    wholeNumber(POLICY_LIMITS.escalation_seconds_min, POLICY_LIMITS.approval_seconds_max, 'Time after which another role is also asked.'),
  ),
  escalate_to_role: Type.Optional(Type.String({ pattern: APPROVER_ROLE_PATTERN, description: 'Role to escalate to, by name or id.' })),
});
export type ApprovalDemand = Static<typeof ApprovalDemand>;

const maskPaths = Type.Optional(list(words(POLICY_LIMITS.field_length_max), POLICY_LIMITS.mask_paths_max));
/** Paths that a MASK rule hides in the request's parameters and in the result. `*` is every element or member. */
export const MaskDemand = closedObject({ parameters: maskPaths, result: maskPaths });
export type MaskDemand = Static<typeof MaskDemand>;

/** One rule. Without `when`, or with an empty one, it matches every request. */
export const PolicyRule = closedObject({
  id: Type.String({ pattern: RULE_ID_PATTERN }),
  description: Type.Optional(Type.String({ maxLength: POLICY_LIMITS.description_length_max })),
  effect: enumSchema(EFFECTS),
  when: Type.Optional(Type.Union([PolicyCondition, closedObject({})])),
  if_missing: Type.Optional(Type.Literal('match')),
  reason: words(POLICY_LIMITS.reason_length_max),
  approval: Type.Optional(ApprovalDemand),
  limit: Type.Optional(LimitDemand),
  mask: Type.Optional(MaskDemand),
});
export type PolicyRule = Static<typeof PolicyRule>;

/**
 * A test case: the context, the expected effect, and the deciding rule if named; none if `rule` is null. The rules in `matches` must match,
 * also if another one decides: so a version of masks and limits, which permit nothing by themselves, can be tested.
 */
export const PolicyTestCase = closedObject({
  name: words(POLICY_LIMITS.test_name_length_max),
  given: Type.Record(Type.String(), Type.Unknown()),
  then: closedObject({
    effect: enumSchema(EFFECTS),
    rule: Type.Optional(nullable(Type.String())),
    matches: Type.Optional(list(Type.String(), POLICY_LIMITS.rules_max)),
  }),
});
export type PolicyTestCase = Static<typeof PolicyTestCase>;

/** Content of a policy version. Data, never code. */
export const VersionBody = closedObject({
  rules: list(PolicyRule, POLICY_LIMITS.rules_max),
  tests: Type.Array(PolicyTestCase, { maxItems: POLICY_LIMITS.tests_max }),
});
export type VersionBody = Static<typeof VersionBody>;

/** One evaluated condition. `path` is a JSON pointer into the rule's `when`; secrets in `expected` and `actual` are masked. */
export const ConditionTrace = closedObject({
  path: Type.String(),
  field: Type.String(),
  op: enumSchema(OPERATORS),
  expected: Type.Optional(Type.Unknown()),
  actual: Type.Optional(Type.Unknown()),
  outcome: enumSchema(['true', 'false', 'unknown']),
  unknown_because: nullable(enumSchema(['missing', 'wrong_type', 'too_long'])),
});
export type ConditionTrace = Static<typeof ConditionTrace>;

const ruleIdentity = {
  id: Type.String(),
  policy_id: Type.String(),
  policy_name: Type.String(),
  version_id: Type.String(),
  version_number: Type.Integer(),
  effect: enumSchema(EFFECTS),
  reason: Type.String(),
  binding: closedObject({ scope: enumSchema(POLICY_SCOPES), id: Type.String() }),
};

/** The rule that decided. */
export const MatchedRule = closedObject(ruleIdentity);
export type MatchedRule = Static<typeof MatchedRule>;

/** An evaluated rule. `matched_on_missing` is true if its condition is unknown and it matched all the same. */
export const ConsultedRule = closedObject({
  ...ruleIdentity,
  outcome: enumSchema(['matched', 'not_matched', 'unknown']),
  matched_on_missing: Type.Boolean(),
  conditions: Type.Array(ConditionTrace),
  currency: Type.Optional(Type.String({ description: 'Currency of the amounts, if rules use several currencies.' })),
});
export type ConsultedRule = Static<typeof ConsultedRule>;

/** Result of the policy engine. `skipped` counts the rules that could not match and are left out of the trace. */
export const PolicyDecision = closedObject({
  effect: enumSchema(EFFECTS),
  matched_rule: nullable(MatchedRule),
  matched_rules: Type.Array(ConsultedRule),
  skipped: Type.Integer(),
  reason: Type.String(),
  obligations: PolicyObligations,
  unknown_fields: Type.Array(Type.String(), { description: 'Fields that a condition read and the context did not contain.' }),
});
export type PolicyDecision = Static<typeof PolicyDecision>;
