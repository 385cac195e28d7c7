import { Engine as RulesEngine } from 'json-rules-engine';
import type { BenchRule } from '../rules.ts';
import { type BenchEngine, getAt } from './engine.ts';

const NAMES = { lte: 'lessThanInclusive', gt: 'greaterThan', gte: 'greaterThanInclusive' } as const;

/** The tool is evaluated first, by priority, and the other two only if it matches: the faster of the documented ways. */
const getRule = ({ id, effect, tool, op, amount, countries }: BenchRule) => ({
  name: id,
  conditions: {
    all: [
      { fact: 'tool', operator: 'equal', value: tool, priority: 10 },
      { fact: 'amount', operator: NAMES[op], value: amount },
      { fact: 'country', operator: 'in', value: countries },
    ],
  },
  event: { type: effect },
});

export const jsonRulesEngine: BenchEngine = {
  name: 'json-rules-engine',
  load: async (rules, requests) => {
    const engine = new RulesEngine(rules.map(getRule));
    return {
      decide: async (index) => {
        const { events } = await engine.run(getAt(requests, index));
        return events.length > 0 && events.every((event) => event.type === 'ALLOW') ? 'ALLOW' : 'BLOCK';
      },
    };
  },
};
