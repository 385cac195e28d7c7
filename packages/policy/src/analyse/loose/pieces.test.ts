import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { validateVersion } from '../../validate/validate-version.ts';
import { analyseVersion } from '../analyse-version.ts';

type When = NonNullable<PolicyRule['when']>;

const is = (field: string, op: string, value: unknown, more: object = {}): When => ({ field, op, value, ...more }) as never;
const KINDS = ['one_element', 'other_host', 'other_path', 'other_address'];
const told = (effect: PolicyRule['effect'], when: When): string[] => {
  const demand = effect === 'MASK' ? { mask: { parameters: ['parameters.a'] } } : {};
  const checked = validateVersion({ rules: [{ id: 'r', effect, reason: 'r', when, ...demand }] });
  assert.ok(checked.ok, JSON.stringify(checked));
  const { warnings } = analyseVersion(checked.body, []);
  return warnings.filter(({ kind }) => KINDS.includes(kind)).map(({ kind, pointer }) => `${kind} ${pointer}`);
};

test('reports a rule in which one element permits or bypasses, unless the rule states the intent', () => {
  const ours = is('parameters.to.*', 'ends_with', '-ours');
  assert.deepEqual(told('ALLOW', ours), ['one_element /rules/0/when']);
  for (const effect of ['BLOCK', 'REQUIRE_APPROVAL', 'MASK'] as const) {
    assert.deepEqual(told(effect, { not: ours }), ['one_element /rules/0/when/not'], effect);
    assert.deepEqual(told(effect, ours), [], effect);
  }
  assert.deepEqual(told('ALLOW', { not: ours }), []);
  for (const quantifier of ['any', 'all']) assert.deepEqual(told('ALLOW', { ...ours, quantifier } as When), [], quantifier);
  // Within a single-element group the path to the element leads to one value, and deeper paths to several.
  const group = (field: string): When => ({ any_element: { of: 'parameters.mails.*', meets: is(field, 'ends_with', '-ours') } });
  assert.deepEqual(told('ALLOW', group('parameters.mails.*.to')), []);
  assert.deepEqual(told('ALLOW', group('parameters.mails.*.to.*')), ['one_element /rules/0/when/any_element/meets']);
});

test('reports a piece of a host that foreign hosts contain too, where it permits or keeps a strict rule from matching', () => {
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

test('reports the beginning of a URL that ends within its host, and none that ends after it', () => {
  for (const url of ['https://api.acme.example', 'https://api', 'HTTPS://user@api.acme.example'])
    assert.deepEqual(told('ALLOW', is('parameters.url', 'starts_with', url)), ['other_host /rules/0/when'], url);
  for (const url of ['https://api.acme.example/', 'https://api.acme.example/v1', 'https://', 'order-'])
    assert.deepEqual(told('ALLOW', is('parameters.url', 'starts_with', url)), [], url);
});

const all = (...parts: When[]): When => ({ all: parts }) as never;

test('warns of a piece of a path that paths elsewhere contain too', () => {
  for (const [op, piece] of [
    ['starts_with', '/srv/data/'],
    ['starts_with', '/srv/data'],
    ['starts_with', 'reports/'],
    ['starts_with', 'C:\\data\\'],
    ['contains', '/public/'],
    ['matches', '^/srv/data/'],
    ['matches', '^\\/srv\\/data\\/'],
  ] as const) {
    const when = is('parameters.path', op, piece);
    assert.deepEqual(told('ALLOW', when), ['other_path /rules/0/when'], `${op} ${piece}`);
    assert.deepEqual(told('BLOCK', { not: when }), ['other_path /rules/0/when/not'], `${op} ${piece}`);
  }
  const begins = is('parameters.path', 'starts_with', '/srv/data/');
  const without = (op: string, piece: string): When => ({ not: is('parameters.path', op, piece) });
  assert.deepEqual(told('ALLOW', all(begins, without('contains', '..'))), ['other_path /rules/0/when/all/0'], 'encoded dots are left');
  assert.deepEqual(told('ALLOW', all(begins, without('matches', '\\.\\.|%|\\\\'))), []);
  for (const when of [
    is('parameters.path', 'path_under', '/srv/data'),
    is('parameters.path', 'eq', '/srv/data/a.txt'),
    is('parameters.path', 'matches', '^/srv/data/[a-z]+$'),
    is('parameters.order', 'starts_with', 'A-'),
    is('parameters.url', 'starts_with', 'https://acme.example/'),
  ])
    assert.deepEqual(told('ALLOW', when), [], JSON.stringify(when));
});

test('warns of a piece of an e-mail address that other addresses and lists contain too', () => {
  for (const [op, piece] of [
    ['ends_with', '@acme.example'],
    ['contains', '@acme.example'],
    ['matches', '@acme\\.example$'],
    ['matches', '@acme\\.example'],
  ] as const) {
    const when = is('parameters.to', op, piece);
    assert.deepEqual(told('ALLOW', when), ['other_address /rules/0/when'], `${op} ${piece}`);
    assert.deepEqual(told('REQUIRE_APPROVAL', { not: when }), ['other_address /rules/0/when/not'], `${op} ${piece}`);
    assert.deepEqual(told('ALLOW', { ...is('parameters.to.*', op, piece), quantifier: 'all' } as When), ['other_address /rules/0/when']);
  }
  for (const when of [
    is('parameters.to', 'email_domain_in', ['acme.example']),
    is('parameters.to', 'matches', '^[^@,; ]+@acme\\.example$'),
    is('parameters.to', 'eq', 'a@acme.example'),
  ])
    assert.deepEqual(told('ALLOW', when), [], JSON.stringify(when));
});

test('warns of another encoding of a path or an address that a strict rule looks for', () => {
  for (const [when, kind] of [
    [is('parameters.path', 'starts_with', '/etc/'), 'other_path'],
    [is('parameters.path', 'eq', '/etc/passwd'), 'other_path'],
    [is('parameters.path', 'in', ['a', '/etc/passwd']), 'other_path'],
    [is('parameters.path', 'path_under', '/etc'), 'other_path'],
    [is('parameters.to', 'ends_with', '@evil.example'), 'other_address'],
    [is('parameters.to', 'eq', 'b@evil.example'), 'other_address'],
    [is('parameters.to', 'email_domain_in', ['evil.example']), 'other_address'],
  ] as const) {
    assert.deepEqual(told('BLOCK', when), [`${kind} /rules/0/when`], JSON.stringify(when));
    assert.deepEqual(told('BLOCK', { any: [when, is('amount', 'gt', 5)] } as When), [`${kind} /rules/0/when/any/0`]);
  }
  for (const when of [
    { not: is('parameters.path', 'path_under', '/srv') } as When,
    { not: is('parameters.to', 'email_domain_in', ['acme.example']) } as When,
    is('parameters.to', 'matches', '(?i)@evil\\.example'),
    is('parameters.country', 'eq', 'XX'),
  ])
    assert.deepEqual(told('BLOCK', when), [], JSON.stringify(when));
});
