import { type Static, type TSchema, Type } from 'typebox';
import { LIMITS } from './limits.ts';
import { amount, closed, currency, nullable, oneOf } from './schema.ts';
import { EFFECTS, POLICY_SCOPES } from './vocabulary.ts';

/** Operators of a condition. What each means and which fields it fits is served by the builder schema. */
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

/** Bounds of one policy version. Lengths are in UTF-16 code units, times in seconds. */
export const POLICY_LIMITS = {
  rules_max: LIMITS.policies.rulesPerVersionMax,
  conditions_max: LIMITS.policies.conditionsPerVersionMax,
  depth_max: LIMITS.policies.conditionDepthMax,
  tests_max: 200,
  preview_tests_max: LIMITS.policies.testCasesPerPreviewMax,
  rule_id_length_max: 64,
  test_name_length_max: 120,
  reason_length_max: 500,
  description_length_max: 2000,
  field_length_max: 256,
  path_segments_max: 16,
  value_length_max: 2048,
  values_max: 1000,
  pattern_length_max: 500,
  /** Instructions of one compiled pattern, and of all patterns of a version together. */
  pattern_size_max: 250,
  pattern_sizes_max: 500,
  /** Units of work, about a microsecond each, that preparing one pattern may take, and preparing all patterns of a version. */
  pattern_work_max: 1_500,
  pattern_works_max: 6_000,
  /** Conditions of a version on paths with `*`: each looks at all that a request holds there. */
  star_conditions_max: 100,
  /** A longer text is not searched for a pattern. */
  matched_text_length_max: 8192,
  /** Units of work, about a nanosecond each, that one decision may take over all rules that apply to it. */
  decision_work_max: 10_000_000,
  nesting_max: 64,
  quorum_max: 10,
  approval_seconds_min: 60,
  approval_seconds_max: 604_800,
  window_seconds_max: 2_678_400,
  calls_max: 1_000_000,
  mask_paths_max: 50,
} as const;

/** How far calls of an agent are counted for the fields about its velocity; more is this many. */
export const VELOCITY_CALLS_MAX = 10_000;

/** Spelling of a rule id: at most 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit. */
export const RULE_ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';
/** Spelling of the role that approves: the name of a built-in role or the id of any role. */
export const APPROVER_ROLE_PATTERN = '^[A-Za-z][A-Za-z0-9_-]{0,63}$';

const words = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const list = <Item extends TSchema>(item: Item, maxItems: number) => Type.Array(item, { minItems: 1, maxItems });
const whole = (minimum: number, maximum: number, description: string) => Type.Integer({ minimum, maximum, description });

export const ConditionScalar = Type.Union([Type.String({ maxLength: POLICY_LIMITS.value_length_max }), Type.Number(), Type.Boolean()]);
export type ConditionScalar = Static<typeof ConditionScalar>;

/** Reads one field. `quantifier` only with a `*` in a parameters path: whether one element is enough or every one must hold. */
export const FieldCondition = closed({
  field: words(POLICY_LIMITS.field_length_max),
  op: oneOf(OPERATORS),
  value: Type.Optional(Type.Union([ConditionScalar, list(ConditionScalar, POLICY_LIMITS.values_max)])),
  quantifier: Type.Optional(oneOf(['any', 'all'])),
});
export type FieldCondition = Static<typeof FieldCondition>;

const Nested = Type.Ref('PolicyCondition');
/**
 * A field condition, or `all`, `any` or `not` over conditions, nested at most `depth_max` groups deep. `any_element` asks whether one element
 * of a list meets a condition as a whole: the fields in `meets` begin with the path in `of`.
 */
export const PolicyCondition = Type.Cyclic(
  {
    PolicyCondition: Type.Union([
      FieldCondition,
      closed({ all: list(Nested, POLICY_LIMITS.conditions_max) }),
      closed({ any: list(Nested, POLICY_LIMITS.conditions_max) }),
      closed({ not: Nested }),
      closed({ any_element: closed({ of: words(POLICY_LIMITS.field_length_max), meets: Nested }) }),
    ]),
  },
  'PolicyCondition',
);
export type PolicyCondition = Static<typeof PolicyCondition>;

/** What REQUIRE_APPROVAL asks for. Left out members: role `approver`, quorum 1, 3600 seconds, no step-up. */
export const ApprovalDemand = closed({
  approver_role: Type.Optional(Type.String({ pattern: APPROVER_ROLE_PATTERN, description: 'Role, by name or id, whose people approve.' })),
  quorum: Type.Optional(whole(1, POLICY_LIMITS.quorum_max, 'How many different people approve.')),
  expires_in_seconds: Type.Optional(
    whole(POLICY_LIMITS.approval_seconds_min, POLICY_LIMITS.approval_seconds_max, 'How long the request waits.'),
  ),
  step_up: Type.Optional(Type.Boolean({ description: 'Whether an approver proves anew who they are.' })),
});
export type ApprovalDemand = Static<typeof ApprovalDemand>;

/** Whose uses a LIMIT rule adds up: each agent's for itself, or those of all agents that act with the authority of one person. */
export const LIMIT_SUBJECTS = ['agent', 'root_principal'] as const;

/** Ceiling of a LIMIT rule, amounts in minor units of the version's currency: of all calls inside the window, or of one call without a window. */
export const LimitDemand = closed({
  max_amount: Type.Optional(amount),
  max_calls: Type.Optional(whole(1, POLICY_LIMITS.calls_max, 'Calls inside the window.')),
  window_seconds: Type.Optional(whole(1, POLICY_LIMITS.window_seconds_max, 'Length of the window, which moves with the clock.')),
  per: Type.Optional(
    oneOf(
      LIMIT_SUBJECTS,
      'Whose uses add up in the window: those of each agent by itself (the default), or of all agents that act with the authority of one root principal.',
    ),
  ),
});
export type LimitDemand = Static<typeof LimitDemand>;

const maskPaths = Type.Optional(list(words(POLICY_LIMITS.field_length_max), POLICY_LIMITS.mask_paths_max));
/** Paths a MASK rule hides, in the request's parameters and in the result. `*` is every element or member. */
export const MaskDemand = closed({ parameters: maskPaths, result: maskPaths });
export type MaskDemand = Static<typeof MaskDemand>;

/** One rule. Without `when`, or with an empty one, it matches every request. */
export const PolicyRule = closed({
  id: Type.String({ pattern: RULE_ID_PATTERN }),
  description: Type.Optional(Type.String({ maxLength: POLICY_LIMITS.description_length_max })),
  effect: oneOf(EFFECTS),
  when: Type.Optional(Type.Union([PolicyCondition, closed({})])),
  if_missing: Type.Optional(Type.Literal('match')),
  reason: words(POLICY_LIMITS.reason_length_max),
  approval: Type.Optional(ApprovalDemand),
  limit: Type.Optional(LimitDemand),
  mask: Type.Optional(MaskDemand),
});
export type PolicyRule = Static<typeof PolicyRule>;

/**
 * A recorded case: given this context, then this effect, decided by this rule when one is named, or by none where `rule` is null. The rules in
 * `matches` match, whichever decides: so a version of masks and limits, which permit nothing by themselves, says what it does.
 */
export const PolicyTestCase = closed({
  name: words(POLICY_LIMITS.test_name_length_max),
  given: Type.Record(Type.String(), Type.Unknown()),
  // biome-ignore lint/suspicious/noThenProperty: the word of the recorded case on the wire, and never a function
  then: closed({
    effect: oneOf(EFFECTS),
    rule: Type.Optional(nullable(Type.String())),
    matches: Type.Optional(list(Type.String(), POLICY_LIMITS.rules_max)),
  }),
});
export type PolicyTestCase = Static<typeof PolicyTestCase>;

/** What a policy version holds. Data, never code. */
export const VersionBody = closed({
  rules: list(PolicyRule, POLICY_LIMITS.rules_max),
  tests: Type.Array(PolicyTestCase, { maxItems: POLICY_LIMITS.tests_max }),
});
export type VersionBody = Static<typeof VersionBody>;

/** One condition as it was evaluated. `path` is a JSON pointer into the rule's `when`; secrets in `expected` and `actual` are masked. */
export const ConditionTrace = closed({
  path: Type.String(),
  field: Type.String(),
  op: oneOf(OPERATORS),
  expected: Type.Optional(Type.Unknown()),
  actual: Type.Optional(Type.Unknown()),
  outcome: oneOf(['true', 'false', 'unknown']),
  unknown_because: nullable(oneOf(['missing', 'wrong_type', 'too_long'])),
});
export type ConditionTrace = Static<typeof ConditionTrace>;

const ruleIdentity = {
  id: Type.String(),
  policy_id: Type.String(),
  policy_name: Type.String(),
  version_id: Type.String(),
  version_number: Type.Integer(),
  effect: oneOf(EFFECTS),
  reason: Type.String(),
  binding: closed({ scope: oneOf(POLICY_SCOPES), id: Type.String() }),
};

/** The rule that decided. */
export const MatchedRule = closed(ruleIdentity);
export type MatchedRule = Static<typeof MatchedRule>;

/** A rule that was consulted. `matched_on_missing` is true when its condition is unknown and it matched all the same. */
export const ConsultedRule = closed({
  ...ruleIdentity,
  outcome: oneOf(['matched', 'not_matched', 'unknown']),
  matched_on_missing: Type.Boolean(),
  conditions: Type.Array(ConditionTrace),
  currency: Type.Optional(Type.String({ description: 'What its amounts are in, where rules are written in several currencies.' })),
});
export type ConsultedRule = Static<typeof ConsultedRule>;

const obligationSource = { rule_id: Type.String(), policy_id: Type.String(), version_id: Type.String() };

/** What every matching rule asks for, whichever rule decided: each approval must be given, each limit kept, all paths masked. */
export const PolicyObligations = closed({
  approvals: Type.Array(
    closed({
      ...obligationSource,
      approver_role: Type.String(),
      quorum: Type.Integer(),
      expires_in_seconds: Type.Integer(),
      step_up: Type.Boolean(),
    }),
  ),
  limits: Type.Array(closed({ ...obligationSource, ...LimitDemand.properties, currency: Type.Optional(currency) })),
  mask: nullable(closed({ parameters: Type.Array(Type.String()), result: Type.Array(Type.String()) })),
});
export type PolicyObligations = Static<typeof PolicyObligations>;

/** Answer of the policy engine. `skipped` counts the rules that could not match and were left out of the trace. */
export const PolicyDecision = closed({
  effect: oneOf(EFFECTS),
  matched_rule: nullable(MatchedRule),
  matched_rules: Type.Array(ConsultedRule),
  skipped: Type.Integer(),
  reason: Type.String(),
  obligations: PolicyObligations,
  unknown_fields: Type.Array(Type.String(), { description: 'Fields a condition asked for and the context did not hold.' }),
});
export type PolicyDecision = Static<typeof PolicyDecision>;
