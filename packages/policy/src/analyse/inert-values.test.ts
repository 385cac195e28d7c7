import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule, PolicyTestCase } from '@svc/contract/policies/language.ts';
import { validateVersion } from '../validate/validate-version.ts';
import { rulesThatAreOver } from './rules-that-are-over.ts';
import { valuesNeverHeld } from './values-never-held.ts';

type When = NonNullable<PolicyRule['when']>;
const USER = 'usr_01J8Z3V7Q2N4M6K8P0R2T4W6Y8';
const AGENT = 'agt_01J8Z3V7Q2N4M6K8P0R2T4W6Y8';

const is = (field: string, op: string, value: unknown): When => ({ field, op, value }) as never;
const getBody = (when: When, tests: readonly PolicyTestCase[] = []) => {
  const read = validateVersion({ rules: [{ id: 'r', effect: 'BLOCK', reason: 'r', when }], tests });
  assert.ok(read.ok, JSON.stringify(read));
  return read.body;
};
const neverHeld = (when: When, tests: readonly PolicyTestCase[] = []): string[] =>
  valuesNeverHeld(getBody(when, tests)).map(({ kind, pointer }) => `${kind} ${pointer}`);

test('reports a value that no request has for an id or a currency at its pointer, in any comparison', () => {
  for (const [when, ...places] of [
    [is('principal.id', 'eq', 'somebody@example.com'), '/value'],
    [is('principal.id', 'neq', 'somebody@example.com'), '/value'],
    [is('principal.id', 'in', [USER, 'Ada', AGENT]), '/value/1'],
    [is('principal.id', 'not_in', ['Ada', 'Ben']), '/value/0', '/value/1'],
    [is('principal.id', 'eq', AGENT.toLowerCase()), '/value'],
    [is('principal.id', 'ends_with', '@example.com'), '/value'],
    [is('agent.id', 'eq', USER), '/value'],
    [is('workspace.id', 'eq', 'Main'), '/value'],
    [is('delegation.root_principal', 'eq', 'somebody@example.com'), '/value'],
    [is('currency', 'eq', 'EUO'), '/value'],
    [{ all: [is('amount', 'gt', 1), { not: is('currency', 'in', ['EUR', 'XTS']) }] } as When, '/all/1/not/value/1'],
  ] as const)
    assert.deepEqual(
      neverHeld(when),
      places.map((place) => `no_such_value /rules/0/when${place}`),
      JSON.stringify(when),
    );
});

test('does not report a value that a request may have', () => {
  for (const when of [
    is('principal.id', 'in', [USER, AGENT, 'apk_01J8Z3V7Q2N4M6K8P0R2T4W6Y8', 'system']),
    is('principal.id', 'starts_with', 'usr_'),
    is('principal.id', 'contains', 'Z3V7'),
    is('principal.id', 'matches', '@'),
    is('agent.id', 'eq', AGENT),
    is('delegation.root_principal', 'in', [USER, AGENT]),
    is('currency', 'not_in', ['EUR', 'USD']),
    is('agent.name', 'eq', 'somebody@example.com'),
    is('parameters.currency', 'eq', 'EUO'),
  ])
    assert.deepEqual(neverHeld(when), [], JSON.stringify(when));
});

test('warns of a wildcard and of a placeholder that are compared literally', () => {
  for (const [when, ...places] of [
    [is('capability', 'eq', 'mail.*'), '/value'],
    [is('tool.capability', 'in', ['mail.send', 'Mail Send']), '/value/1'],
    [is('tool.name', 'starts_with', 'mail.*'), '/value'],
    [is('agent.name', 'eq', 'bot-*'), '/value'],
    [is('parameters.to', 'neq', '*@acme.example'), '/value'],
    [is('parameters.path', 'eq', '/srv/*/data'), '/value'],
    [is('parameters.path', 'starts_with', '/srv/*'), '/value'],
    [is('session.tools_used', 'contains', `\${tool}`), '/value'],
    [is('parameters.country', 'eq', `\${input.country}`), '/value'],
    [is('parameters.country', 'not_in', ['DE', '{{ country }}']), '/value/1'],
    [is('agent.labels.team', 'eq', '{{team}}'), '/value'],
    [is('parameters.url', 'contains', 'https://{{host}}/'), '/value'],
    [is('delegation.depth', 'gt', 16), '/value'],
    [is('delegation.depth', 'gte', 99), '/value'],
    [is('delegation.depth', 'in', [2, 17]), '/value/1'],
    [is('delegation.depth', 'between', [20, 30]), '/value/0'],
  ] as const)
    assert.deepEqual(
      neverHeld(when),
      places.map((place) => `no_such_value /rules/0/when${place}`),
      JSON.stringify(when),
    );
});

test('does not report a star or a brace that can be intended', () => {
  for (const when of [
    is('parameters.fields', 'eq', '*'),
    is('parameters.sql', 'contains', 'select *'),
    is('parameters.sql', 'eq', 'select * from t'),
    is('parameters.note', 'contains', '${jndi:'),
    is('parameters.note', 'contains', '{{'),
    is('parameters.note', 'matches', '\\$\\{.*\\}'),
    is('tool.name', 'eq', 'Search_Issues'),
    is('tool.capability', 'starts_with', 'mail.'),
    is('delegation.depth', 'gt', 15),
    is('delegation.depth', 'lte', 99),
    is('delegation.depth', 'between', [1, 99]),
  ])
    assert.deepEqual(neverHeld(when), [], JSON.stringify(when));
});

test('reports a recorded test that passes by such a value with the rule, and no other values of tests', () => {
  const given = (value: string): PolicyTestCase => ({
    name: value,
    given: { principal: { id: value } },
    then: { effect: 'BLOCK' },
  });
  const when = is('principal.id', 'eq', 'Ada');
  assert.deepEqual(neverHeld(when, [given('Ben'), given('Ada'), given(USER)]), [
    'no_such_value /rules/0/when/value',
    'no_such_value /tests/1/given/principal/id',
  ]);
});

const NOW = new Date('2026-03-10T13:00:00.000Z');
const isOver = (when: When): boolean => rulesThatAreOver(getBody(when), NOW).length === 1;

test('reports a rule whose dates have passed everywhere on earth, and none that may match on another date', () => {
  const day = (op: string, value: unknown) => is('time.date', op, value);
  const not = (part: When) => ({ not: part }) as When;
  const pay = is('tool.name', 'eq', 'pay');
  for (const when of [
    ...[day('eq', '2026-03-09'), day('lt', '2026-03-10'), day('lte', '2026-03-09'), day('in', ['2025-12-24', '2026-03-09'])],
    ...[day('between', ['2025-12-21', '2026-03-09']), not(day('gt', '2026-03-09')), not(day('gte', '2026-03-10'))],
    ...[not(day('neq', '2026-03-09')), not(day('not_in', ['2026-03-09'])), { all: [pay, day('eq', '2026-03-09')] } as When],
    { any: [day('eq', '2026-03-09'), { all: [pay, { not: { any: [pay, day('gt', '2026-01-01')] } }] }] } as When,
  ])
    assert.equal(isOver(when), true, JSON.stringify(when));
  for (const when of [
    ...[pay, day('eq', '2026-03-10'), day('lt', '2026-03-11'), day('lte', '2026-03-10'), day('in', ['2025-12-24', '2026-03-10'])],
    ...[day('between', ['2025-12-21', '2026-03-10']), day('gt', '2026-03-09'), day('gte', '2020-01-01'), day('neq', '2026-03-09')],
    ...[not(day('eq', '2026-03-09')), not(day('lt', '2026-03-10')), not(pay), { any: [day('eq', '2026-03-09'), pay] } as When],
    is('time.clock', 'lt', '08:00'),
  ])
    assert.equal(isOver(when), false, JSON.stringify(when));
});
