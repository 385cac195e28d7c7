import type { PolicyRule, PolicyTestCase } from '@svc/contract/policies/language.ts';

const isRefund = { field: 'tool.name', op: 'eq', value: 'refund.create' } as const;

const small: PolicyRule = {
  id: 'refunds-small',
  effect: 'ALLOW',
  when: { all: [isRefund, { field: 'amount', op: 'lte', value: 50_000 }] },
  reason: 'Refunds up to 500.00 go through.',
};
const large: PolicyRule = {
  id: 'refunds-large',
  effect: 'REQUIRE_APPROVAL',
  when: { all: [isRefund, { field: 'amount', op: 'gt', value: 50_000 }] },
  reason: 'Refunds over 500.00 require approval.',
  approval: { approver_role: 'approver', quorum: 1, expires_in_seconds: 3_600 },
};
const never: PolicyRule = {
  id: 'refunds-never',
  effect: 'BLOCK',
  when: { all: [isRefund, { field: 'amount', op: 'gt', value: 500_000 }] },
  reason: 'Refunds over 5,000.00 are never made by an agent.',
};
const reads: PolicyRule = {
  id: 'customers-read',
  effect: 'ALLOW',
  when: { all: [{ field: 'tool.name', op: 'eq', value: 'customer.read' }] },
  reason: 'Support may look customers up.',
};

const buildRefund = (amount: number) => ({ tool: { name: 'refund.create' }, amount });

/** Purpose of the rules, as test cases that the service runs before they may be activated. */
export const POLICY_TESTS: PolicyTestCase[] = [
  { name: '500.00 goes through', given: buildRefund(50_000), then: { effect: 'ALLOW', rule: 'refunds-small' } },
  { name: '500.01 needs a person', given: buildRefund(50_001), then: { effect: 'REQUIRE_APPROVAL', rule: 'refunds-large' } },
  { name: '5,000.01 is blocked', given: buildRefund(500_001), then: { effect: 'BLOCK' } },
  { name: 'customers can be read', given: { tool: { name: 'customer.read' } }, then: { effect: 'ALLOW', rule: 'customers-read' } },
  { name: 'nothing else is allowed', given: { tool: { name: 'account.close' } }, then: { effect: 'BLOCK' } },
];

export const POLICY_RULES: PolicyRule[] = [small, large, never, reads];

/** An incomplete first draft; the tests detect it. */
export const RULES_WITHOUT_CEILING: PolicyRule[] = [small, large, reads];
