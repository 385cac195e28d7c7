import type { PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { evaluate } from '@svc/policy/judge/evaluate.ts';
import { type BenchRule, TOOL } from '../rules.ts';
import { type BenchEngine, getAt } from './engine.ts';
import { asPolicyRule, compileRules, getContext } from './ours.ts';

/** Conditions that match every request of the bench and together use the rest of the language. */
const MORE: readonly (readonly PolicyCondition[])[] = [
  [
    { field: 'parameters.order', op: 'matches', value: '^A-[0-9]{4}$' },
    {
      any: [
        { field: 'request.source_ip', op: 'cidr', value: ['10.0.0.0/8', '192.168.0.0/16'] },
        { field: 'tool.dangerous', op: 'is_true' },
      ],
    },
    { not: { field: 'agent.labels.team', op: 'in', value: ['contractors', 'trial'] } },
    { field: 'time.clock', op: 'within_hours', value: '08:00-18:00' },
  ],
  [
    { field: 'parameters.items.*.sku', op: 'not_in', value: ['X9', 'X8'], quantifier: 'all' },
    { field: 'destination.host', op: 'ends_with', value: '.example.com' },
    { field: 'time.weekday', op: 'on_weekdays', value: ['MON', 'TUE', 'WED', 'THU', 'FRI'] },
    { field: 'parameters.coupon', op: 'not_exists' },
  ],
  [
    { field: 'parameters.note', op: 'contains', value: 'damaged' },
    { field: 'agent.capabilities', op: 'contains', value: 'payments.refund' },
    { field: 'destination.port', op: 'between', value: [1, 1024] },
    { any: [{ field: 'principal.type', op: 'neq', value: 'USER' }, { not: { field: 'environment.type', op: 'eq', value: 'PRODUCTION' } }] },
  ],
];

/** A version holds 500 conditions, so these longer rules go into smaller versions. */
const RULES_A_VERSION = 50;

const enrich = (rule: BenchRule, index: number): PolicyRule => {
  const plain = asPolicyRule(rule);
  const place = rule.tool === TOOL ? ['small-refunds', 'large-refunds', 'embargoed'].indexOf(rule.id) : index % MORE.length;
  return { ...plain, when: { all: [...(plain.when as { all: PolicyCondition[] }).all, ...getAt(MORE, place)] } };
};

/** The same rules with four or five more conditions each; all of them match, so the decisions stay the same. */
export const wholeLanguage: BenchEngine = {
  name: 'this engine, long rules',
  load: async (rules, requests) => {
    const set = compileRules(rules.map(enrich), RULES_A_VERSION);
    const contexts = requests.map(getContext);
    return { decide: (index) => (evaluate(set, getAt(contexts, index)).effect === 'ALLOW' ? 'ALLOW' : 'BLOCK') };
  },
};
