import type { PolicyRule } from '@svc/contract/policies/language.ts';
import type { PolicyContext } from '@svc/policy/evaluation/policy-context.ts';
import { compileSet, type PolicySet } from '@svc/policy/judge/compile-set.ts';
import { compileVersion } from '@svc/policy/judge/compile-version.ts';
import { evaluate } from '@svc/policy/judge/evaluate.ts';
import { validateVersion } from '@svc/policy/validate/validate-version.ts';
import type { BenchRequest, BenchRule } from '../rules.ts';
import { type BenchEngine, getAt } from './engine.ts';

export const asPolicyRule = ({ id, effect, tool, op, amount, countries }: BenchRule): PolicyRule => ({
  id,
  effect,
  when: {
    all: [
      { field: 'tool.name', op: 'eq', value: tool },
      { field: 'amount', op, value: amount },
      { field: 'parameters.country', op: 'in', value: [...countries] },
    ],
  },
  reason: `Rule ${id} decides.`,
});

/** Splits rules into pages of one version's capacity. */
export const splitInPages = <Rule>(rules: readonly Rule[], size: number): Rule[][] =>
  Array.from({ length: Math.ceil(rules.length / size) }, (_, page) => rules.slice(page * size, (page + 1) * size));

const getPage = (rules: readonly PolicyRule[], page: number) => {
  const read = validateVersion({ rules, tests: [] });
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return compileVersion({
    policy_id: `pol_${page}`,
    policy_name: `Policy ${page}`,
    version_id: `pvr_${page}`,
    version_number: 1,
    binding: { scope: 'ORGANIZATION', id: 'org_1' },
    body: read.body,
  });
};

/** Validates and compiles rules like the service: a policy for each page. */
export const compileRules = (rules: readonly PolicyRule[], pageSize: number): PolicySet =>
  compileSet(splitInPages(rules, pageSize).map(getPage));

/** Returns everything that the pipeline knows of a request, and its own content. */
export const getContext = ({ tool, amount, country }: BenchRequest): PolicyContext => ({
  principal: { type: 'AGENT', id: 'agt_1' },
  agent: { id: 'agt_1', name: 'refund-bot', labels: { team: 'payments' }, capabilities: ['payments.refund'], created_days: 12 },
  environment: { type: 'PRODUCTION', mode: 'ENFORCE' },
  workspace: { id: 'wsp_1' },
  tool: { name: tool, capability: 'payments.refund', risk_rating: 'HIGH', dangerous: false, kind: 'HTTP' },
  capability: 'payments.refund',
  amount,
  currency: 'EUR',
  parameters: { order: 'A-1001', country, items: [{ sku: 'A1' }, { sku: 'B2' }], note: 'damaged on arrival' },
  destination: { host: 'api.example.com', port: 443, ip: '203.0.113.7' },
  time: { hour: 10, clock: '10:30', weekday: 'WED', date: '2026-03-04' },
  request: { source_ip: '10.1.2.3' },
});

/** A version holds 200 rules and 500 conditions, and these rules have three conditions each. */
export const RULES_A_VERSION = 150;

export const ours: BenchEngine = {
  name: 'this engine',
  load: async (rules, requests) => {
    const set = compileRules(rules.map(asPolicyRule), RULES_A_VERSION);
    const contexts = requests.map(getContext);
    return { decide: (index) => (evaluate(set, getAt(contexts, index)).effect === 'ALLOW' ? 'ALLOW' : 'BLOCK') };
  },
};
