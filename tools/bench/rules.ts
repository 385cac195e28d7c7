import type { PolicyRule, PolicyTestCase } from '@svc/contract/policies/language.ts';

export const TOOL = 'refund.create';
export const CAPABILITY = 'payments.refund';

const refunds = { field: 'tool.name', op: 'eq', value: TOOL } as const;

/** The rules about the tool of the bench; each request evaluates all of them. */
const consulted: readonly PolicyRule[] = [
  {
    id: 'small-refunds',
    effect: 'ALLOW',
    when: { all: [refunds, { field: 'amount', op: 'lte', value: 50_000 }] },
    reason: 'Refunds up to 500.00 need nobody.',
  },
  {
    id: 'large-refunds',
    effect: 'REQUIRE_APPROVAL',
    when: { all: [refunds, { field: 'amount', op: 'gt', value: 50_000 }] },
    reason: 'Refunds over 500.00 need a person.',
  },
  {
    id: 'embargoed-countries',
    effect: 'BLOCK',
    when: { all: [refunds, { field: 'parameters.country', op: 'in', value: ['KP', 'IR', 'SY'] }] },
    reason: 'No money leaves for an embargoed country.',
  },
  {
    id: 'disputed-orders',
    effect: 'BLOCK',
    when: {
      all: [
        { field: 'capability', op: 'eq', value: CAPABILITY },
        { field: 'parameters.reason', op: 'eq', value: 'chargeback' },
      ],
    },
    reason: 'A disputed order is refunded by the bank.',
  },
];

const ofOtherTools: readonly PolicyRule[] = Array.from({ length: 16 }, (_, index) => ({
  id: `other-tool-${index}`,
  effect: index % 3 === 0 ? 'BLOCK' : 'ALLOW',
  when: {
    all: [
      { field: 'tool.name', op: 'eq', value: `other.tool-${index}` },
      { field: 'amount', op: 'lt', value: 1_000 * (index + 1) },
    ],
  },
  reason: `Rule ${index} of another tool.`,
}));

/** Twenty active rules, four of them about the tool. */
export const RULES: readonly PolicyRule[] = [...consulted, ...ofOtherTools];

export const TESTS: readonly PolicyTestCase[] = [
  {
    name: 'a small refund is allowed',
    given: {
      tool: { name: TOOL, capability: CAPABILITY },
      capability: CAPABILITY,
      amount: 1_250,
      parameters: { country: 'DE', reason: 'damaged' },
    },
    then: { effect: 'ALLOW', rule: 'small-refunds' },
  },
];

/** Parameters of the tool. */
export const PARAMETERS_SCHEMA = {
  type: 'object',
  properties: {
    order: { type: 'string', maxLength: 40 },
    amount: { type: 'integer', minimum: 1 },
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    country: { type: 'string', maxLength: 2 },
    reason: { type: 'string', maxLength: 200 },
  },
  required: ['order', 'amount', 'currency', 'country', 'reason'],
  additionalProperties: false,
};

/** The tool whose calls are executed; one of the rules of other tools allows it. */
export const CALLING_TOOL = 'other.tool-1';

/** A request that the rules allow. */
export const getRefund = (index: number) => ({
  tool: TOOL,
  parameters: { order: `A-${100_000 + index}`, amount: 1_250 + index, currency: 'USD', country: 'DE', reason: 'damaged' },
});
