import { call, mustCall } from '@svc/testing/people/client.ts';
import type { Tenant } from '@svc/testing/people/tenant.ts';

const letters = (n: number, seed: number): string =>
  Array.from({ length: n }, (_, at) => ((at * 7_919 + seed * 31 + ((at * at) >> 3)) % 3 ? 'a' : 'b')).join('');

/** Returns the largest parameters, with texts that a slow pattern scans to their ends. */
export const buildExpensiveParameters = (): object => ({ l: Array.from({ length: 7 }, (_, n) => letters(8_192, n)) });

type ExpensiveOptions = { readonly extraConditions?: readonly object[]; readonly count?: number };

/**
 * Puts the maximum number of policies in force, or fewer, each searching every text of those parameters for such a pattern, under the
 * given extra conditions.
 */
export const activateExpensivePolicies = async (
  { controlUrl, token }: Tenant,
  { extraConditions = [], count = 40 }: ExpensiveOptions = {},
): Promise<void> => {
  for (let n = 0; n < count; n += 1) {
    const matches = { field: 'parameters.l.*', op: 'matches', value: `a[ab]{${20 + n}}[^ab]` };
    const tests = [{ name: 'none', given: {}, then: { effect: 'BLOCK' } }];
    const body = {
      name: `Expensive ${n}`,
      rules: [{ id: 'r', effect: 'BLOCK', reason: 'x', when: { all: [...extraConditions, matches] } }],
      tests,
    };
    const policy = await mustCall(controlUrl, 'POST', '/v1/policies', { token, body });
    const activation = { version_id: policy.versions[0].version_id, reason: 'expensive' };
    const answer = await call(controlUrl, 'POST', `/v1/policies/${policy.id}/activate`, { token, body: activation });
    if (answer.status !== 200) break;
  }
};
