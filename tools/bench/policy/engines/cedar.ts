import { preparsePolicySet, type StatefulAuthorizationCall, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import type { BenchRequest, BenchRule } from '../rules.ts';
import { type BenchEngine, getAt } from './engine.ts';

const SIGNS = { lte: '<=', gt: '>', gte: '>=' } as const;

/** The tool is Cedar's action, so that the head of a policy rules most of them out. */
const getPolicy = ({ effect, tool, op, amount, countries }: BenchRule): string =>
  `${effect === 'ALLOW' ? 'permit' : 'forbid'} (principal, action == Action::${JSON.stringify(tool)}, resource)
when { context.amount ${SIGNS[op]} ${amount} && ${JSON.stringify(countries)}.contains(context.country) };`;

const callOf = ({ tool, amount, country }: BenchRequest, policySet: string): StatefulAuthorizationCall => ({
  principal: { type: 'Agent', id: 'agt_1' },
  action: { type: 'Action', id: tool },
  resource: { type: 'Environment', id: 'env_1' },
  context: { amount, country },
  preparsedPolicySetId: policySet,
  entities: [],
});

let sets = 0;

/** The call that its package recommends for repeated decisions: the policies are parsed once and stay inside. */
export const cedar: BenchEngine = {
  name: 'cedar-wasm',
  load: async (rules, requests) => {
    sets += 1;
    const policySet = `bench-${sets}`;
    const parsed = preparsePolicySet(policySet, { staticPolicies: rules.map(getPolicy).join('\n') });
    if (parsed.type === 'failure') throw new Error(JSON.stringify(parsed.errors));
    const calls = requests.map((request) => callOf(request, policySet));
    return {
      decide: (index) => {
        const answer = statefulIsAuthorized(getAt(calls, index));
        if (answer.type === 'failure' || answer.response.diagnostics.errors.length > 0) throw new Error(JSON.stringify(answer));
        return answer.response.decision === 'allow' ? 'ALLOW' : 'BLOCK';
      },
    };
  },
};
