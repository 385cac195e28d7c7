import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyCondition } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newWorkTally, WORK_OF_REQUEST } from '../cost/work-of-versions.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { validateVersion } from '../validate/validate-version.ts';
import { compileSet, type PolicySet } from './compile-set.ts';
import { compileVersion, type PolicySource } from './compile-version.ts';
import { evaluate } from './evaluate.ts';

/* No two requests are equal, so that no cached result makes a later one faster. */

/** Processor time: several times what may be in force, to allow for a slow and busy machine. */
const DECIDED_WITHIN_MS = 60;

const times = <Value>(n: number, make: (index: number) => Value): Value[] => Array.from({ length: n }, (_, index) => make(index));
const RULES = 50;

const getVersion = (n: number, rules: number, when: (index: number) => PolicyCondition): PolicySource => {
  const read = validateVersion({
    rules: times(rules, (index) => ({ id: `r${index}`, effect: 'BLOCK', reason: 'x', when: when(n * rules + index) })),
  });
  assert.ok(read.ok, JSON.stringify(read).slice(0, 500));
  const binding = { scope: 'ORGANIZATION', id: 'org_1' } as const;
  return { policy_id: `pol_${n}`, policy_name: 'p', version_id: `pvr_${n}`, version_number: 1, binding, body: read.body };
};

/** Returns as many such rules as may be in force together. */
const mostOf = (rules: number, when: (index: number) => PolicyCondition): PolicySet => {
  const tally = newWorkTally();
  const sources: PolicySource[] = [];
  for (let n = 0; n < POLICY_LIMITS.rules_max; n += 1) {
    const source = getVersion(n, rules, when);
    tally.add(source);
    if (WORK_OF_REQUEST + tally.bound().work > POLICY_LIMITS.decision_work_max) break;
    sources.push(source);
  }
  assert.ok(sources.length > 0);
  return compileSet(sources.map(compileVersion));
};

const hex = (n: number): string => (n % 65_536).toString(16);
const starCidr = mostOf.bind(null, 1, () => ({ field: 'parameters.**', op: 'cidr', value: ['10.0.0.0/8', '2001:db8::/32'] }));
const listed = (addresses: readonly string[]): PolicyContext => ({ parameters: { l: addresses } });

const SLOW: Readonly<Record<string, readonly [() => PolicySet, (request: number) => PolicyContext]>> = {
  'the shortest addresses of IPv6': [starCidr, (request) => listed(times(7_000, (n) => `${hex(request * 7_000 + n)}::`))],
  'texts that are nearly addresses': [starCidr, (request) => listed(times(6_000, (n) => `${hex(request * 6_000 + n)}:::`))],
  'addresses with a zone': [
    starCidr,
    (request) => listed(times(1_100, (n) => `${hex(request)}:${hex(n)}:3000:4000:5000:6000:7000:8000%aaaaaaaa`)),
  ],
  'two addresses with long zones, in turns': [
    () => mostOf(RULES, (index) => ({ field: index % 2 ? 'parameters.a' : 'parameters.b', op: 'cidr', value: '10.0.0.0/8' })),
    (request) => ({ parameters: { a: `2001::1%${'a'.repeat(30_000)}${request}`, b: `2001::1%${'b'.repeat(30_000)}${request}` } }),
  ],
  'two addresses of the request, in turns': [
    () =>
      mostOf(RULES, (index) => ({ field: index % 2 ? 'destination.ip' : 'request.source_ip', op: 'eq', value: `10.0.0.${index % 256}` })),
    (request) => ({
      request: { source_ip: `2001:1::800${request}` },
      destination: { ip: `2001:1:3000:4000:5000:6000:7000:900${request}` },
    }),
  ],
};

const NAMED = 'parameters.'.concat('a'.repeat(180));
const UNKNOWN: typeof SLOW = {
  'fields that the request does not have': [
    () =>
      mostOf(RULES, (index) => ({ all: times(5, (n) => ({ field: `${NAMED}${10_000 + index * 5 + n}`, op: 'eq' as const, value: 1 })) })),
    () => ({ parameters: {} }),
  ],
};

for (const [what, [makeSet, requestFor]] of Object.entries({ ...SLOW, ...UNKNOWN })) {
  test(`decides a new request in bounded time under the maximum of rules: ${what}`, (t) => {
    const set = makeSet();
    const took = times(5, (request) => {
      const context = requestFor(request);
      assert.ok(Buffer.byteLength(JSON.stringify(context.parameters ?? {})) <= LIMITS.bodies.parametersBytesMax, 'nobody could send it');
      const start = process.threadCpuUsage();
      assert.equal(evaluate(set, context).effect, 'BLOCK');
      const { user, system } = process.threadCpuUsage(start);
      return (user + system) / 1_000;
    });
    t.diagnostic(`${took.map((ms) => ms.toFixed(1)).join(', ')} ms`);
    assert.ok(Math.min(...took) < DECIDED_WITHIN_MS, `${took.map((ms) => ms.toFixed(0)).join(', ')} ms`);
  });
}
