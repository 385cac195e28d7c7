import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { validateVersion } from '../../validate/validate-version.ts';
import { analyseVersion } from '../analyse-version.ts';

type When = NonNullable<PolicyRule['when']>;

const is = (field: string, op: string, value: unknown, more: object = {}): When => ({ field, op, value, ...more }) as never;
const told = (effect: PolicyRule['effect'], when: When): string[] => {
  const demand = effect === 'MASK' ? { mask: { parameters: ['parameters.a'] } } : {};
  const checked = validateVersion({ rules: [{ id: 'r', effect, reason: 'r', when, ...demand }] });
  assert.ok(checked.ok, JSON.stringify(checked));
  const { warnings } = analyseVersion(checked.body, []);
  return warnings.filter(({ kind }) => kind === 'one_element' || kind === 'other_host').map(({ kind, pointer }) => `${kind} ${pointer}`);
};

test('where one element is enough to be permitted or to get past a strict rule, that is told unless the rule says that it is meant', () => {
  const ours = is('parameters.to.*', 'ends_with', '@acme.example');
  assert.deepEqual(told('ALLOW', ours), ['one_element /rules/0/when']);
  for (const effect of ['BLOCK', 'REQUIRE_APPROVAL', 'MASK'] as const) {
    assert.deepEqual(told(effect, { not: ours }), ['one_element /rules/0/when/not'], effect);
    assert.deepEqual(told(effect, ours), [], effect);
  }
  assert.deepEqual(told('ALLOW', { not: ours }), []);
  for (const quantifier of ['any', 'all']) assert.deepEqual(told('ALLOW', { ...ours, quantifier } as When), [], quantifier);
  // Within a group about one element the path to it leads to one value, and what lies deeper to several.
  const group = (field: string): When => ({ any_element: { of: 'parameters.mails.*', meets: is(field, 'ends_with', '@acme.example') } });
  assert.deepEqual(told('ALLOW', group('parameters.mails.*.to')), []);
  assert.deepEqual(told('ALLOW', group('parameters.mails.*.to.*')), ['one_element /rules/0/when/any_element/meets']);
});

test('a piece of a host that hosts of strangers have too is told where it permits or keeps a strict rule from matching', () => {
  const open: readonly [string, string][] = [
    ['ends_with', 'acme.example'],
    ['starts_with', 'api.acme.example'],
    ['starts_with', '10.'],
    ['contains', '.acme.'],
    ['matches', 'acme\\.example'],
    ['matches', '^api\\.acme\\.example'],
    ['matches', 'acme\\.example$'],
  ];
  for (const [op, piece] of open) {
    const when = is('destination.host', op, piece);
    assert.deepEqual(told('ALLOW', when), ['other_host /rules/0/when'], `${op} ${piece}`);
    assert.deepEqual(told('BLOCK', { not: when }), ['other_host /rules/0/when/not'], `${op} ${piece}`);
    assert.deepEqual(told('BLOCK', when), [], `${op} ${piece}`);
  }
  for (const [op, piece] of [
    ['ends_with', '.acme.example'],
    ['eq', 'acme.example'],
    ['matches', '^api\\.acme\\.example$'],
    ['matches', '\\.acme\\.example$'],
  ] as const)
    assert.deepEqual(told('ALLOW', is('destination.host', op, piece)), [], `${op} ${piece}`);
});

test('the beginning of a URL that ends within its host is told, and one that ends behind it is not', () => {
  for (const url of ['https://api.acme.example', 'https://api', 'HTTPS://user@api.acme.example'])
    assert.deepEqual(told('ALLOW', is('parameters.url', 'starts_with', url)), ['other_host /rules/0/when'], url);
  for (const url of ['https://api.acme.example/', 'https://api.acme.example/v1', 'https://', 'order-'])
    assert.deepEqual(told('ALLOW', is('parameters.url', 'starts_with', url)), [], url);
});
