import { newEnforcer, newModel } from 'casbin';
import type { BenchRule } from '../rules.ts';
import { type BenchEngine, getAt } from './engine.ts';

/** Rules are rows and the matcher is one expression over their columns, which casbin parses once; it then visits every row. */
const MODEL = `
[request_definition]
r = tool, amount, country
[policy_definition]
p = tool, least, most, countries, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = r.tool == p.tool && r.amount >= p.least && r.amount <= p.most && listed(r.country, p.countries)
`;

const getRow = ({ tool, op, amount, countries, effect }: BenchRule): string[] => [
  tool,
  String(op === 'lte' ? 0 : op === 'gt' ? amount + 1 : amount),
  String(op === 'lte' ? amount : Number.MAX_SAFE_INTEGER),
  countries.join('|'),
  effect === 'ALLOW' ? 'allow' : 'deny',
];

/** `enforceSync`, which its documentation names as the faster call. Its cache of results is not used, since requests differ. */
export const casbin: BenchEngine = {
  name: 'casbin',
  load: async (rules, requests) => {
    const enforcer = await newEnforcer(newModel(MODEL));
    await enforcer.addFunction('listed', (country: string, countries: string) => countries.split('|').includes(country));
    await enforcer.addPolicies(rules.map(getRow));
    return {
      decide: (index) => {
        const { tool, amount, country } = getAt(requests, index);
        return enforcer.enforceSync(tool, amount, country) ? 'ALLOW' : 'BLOCK';
      },
    };
  },
};
