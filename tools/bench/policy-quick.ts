import type { PolicyRule } from '@svc/contract/policy-language.ts';
import { compileSet } from '@svc/policy/compile-set.ts';
import { compileVersion } from '@svc/policy/compile-version.ts';
import type { PolicyContext } from '@svc/policy/context.ts';
import { evaluate } from '@svc/policy/evaluate.ts';

const DECISIONS = 200_000;
const ROUNDS = 5;

const rule = (index: number, tool: string): PolicyRule => ({
  id: `rule-${index}`,
  effect: index % 2 === 0 ? 'ALLOW' : 'REQUIRE_APPROVAL',
  when: {
    all: [
      { field: 'tool.name', op: 'eq', value: tool },
      { field: 'amount', op: 'gt', value: index },
      { field: 'parameters.customer.country', op: 'in', value: ['DE', 'FR'] },
    ],
  },
  reason: `Reason ${index}`,
});

/** Rules of which three can match the request; the others are about other tools. */
const policySet = (count: number) => {
  const rules = Array.from({ length: count }, (_, index) =>
    rule(index, index % Math.floor(count / 3) === 0 ? 'refund.create' : `tool-${index}`),
  );
  const versions = Array.from({ length: Math.ceil(count / 200) }, (_, page) =>
    compileVersion({
      policy_id: `pol_${page}`,
      policy_name: `Policy ${page}`,
      version_id: `pvr_${page}`,
      version_number: 1,
      binding: { scope: 'ORGANIZATION', id: 'org_1' },
      body: { rules: rules.slice(page * 200, (page + 1) * 200), tests: [] },
    }),
  );
  return compileSet(versions);
};

const request: PolicyContext = {
  principal: { type: 'AGENT', id: 'agt_1' },
  agent: { id: 'agt_1', name: 'refund-bot', labels: {}, capabilities: ['payments.refund'], created_days: 12 },
  environment: { type: 'PRODUCTION', mode: 'ENFORCE' },
  workspace: { id: 'wsp_1' },
  tool: { name: 'refund.create', capability: 'payments.refund', risk_rating: 'HIGH', dangerous: false, kind: 'HTTP' },
  capability: 'payments.refund',
  amount: 60_000,
  currency: 'EUR',
  parameters: { customer: { country: 'DE' }, order: 'A-1' },
  destination: { host: 'api.example.com', port: 443 },
};

const round = (count: number): number => {
  const set = policySet(count);
  const start = performance.now();
  for (let index = 0; index < DECISIONS; index++) evaluate(set, request);
  return ((performance.now() - start) * 1000) / DECISIONS;
};

for (const count of [10, 100, 1000]) round(count);
for (const count of [10, 100, 1000]) {
  const best = Math.min(...Array.from({ length: ROUNDS }, () => round(count)));
  const { matched_rules, skipped } = evaluate(policySet(count), request);
  console.log(`${count} rules: ${best.toFixed(2)} us a decision (${matched_rules.length} consulted with their traces, ${skipped} skipped)`);
}
