import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BenchRequest, BenchRule } from './rules.ts';

const SIGNS = { lte: '<=', gt: '>', gte: '>=' } as const;

const getRule = ({ id, effect, op, amount, countries }: BenchRule) => ({
  name: id,
  actions: ['use'],
  roles: ['agent'],
  effect: effect === 'ALLOW' ? 'EFFECT_ALLOW' : 'EFFECT_DENY',
  condition: {
    match: { all: { of: [{ expr: `R.attr.amount ${SIGNS[op]} ${amount}` }, { expr: `R.attr.country in ${JSON.stringify(countries)}` }] } },
  },
});

/** The tool is Cerbos' kind of resource, one policy file each, so that it finds the policies of a request without evaluating others. */
export const writeCerbosPolicies = (folder: string, rules: readonly BenchRule[]): void => {
  mkdirSync(folder, { recursive: true });
  const tools = new Set(rules.map((rule) => rule.tool));
  for (const tool of tools) {
    const own = rules.filter((rule) => rule.tool === tool).map(getRule);
    const policy = { apiVersion: 'api.cerbos.dev/v1', resourcePolicy: { version: 'default', resource: tool, rules: own } };
    writeFileSync(path.join(folder, `${tool}.json`), JSON.stringify(policy));
  }
};

export const CERBOS_PATH = '/api/check/resources';

/** Builds the same facts as in a request to the gateway. */
export const buildCerbosBody = ({ tool, amount, country }: BenchRequest, agentId: string, index: number) => ({
  requestId: `req-${index}`,
  principal: { id: agentId, roles: ['agent'] },
  resources: [
    {
      actions: ['use'],
      resource: { kind: tool, id: `A-${100_000 + index}`, attr: { amount, currency: 'USD', country, reason: 'damaged' } },
    },
  ],
});
