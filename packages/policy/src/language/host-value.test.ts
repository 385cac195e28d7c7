import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { compileUnbound } from '../judge/compile-set.ts';
import { compileVersion } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { findActivationFaults } from '../trial/run-tests.ts';
import { validateVersion } from '../validate/validate-version.ts';

const ORGANIZATION = { scope: 'ORGANIZATION', id: 'o' } as const;
const rule = (op: string, value: unknown): PolicyRule =>
  ({ id: 'block', effect: 'BLOCK', reason: 'r', when: { field: 'destination.host', op, value } }) as PolicyRule;
const compiled = (rules: PolicyRule[], tests: never[] = []) =>
  compileVersion({
    policy_id: 'p',
    policy_name: 'p',
    version_id: 'v',
    version_number: 1,
    binding: ORGANIZATION,
    body: { rules, tests },
  });

const matches = (op: string, value: unknown, host: string): boolean => {
  const checked = validateVersion({ rules: [rule(op, value)] });
  assert.ok(checked.ok, JSON.stringify(checked));
  return evaluate(compileUnbound(compiled(checked.body.rules)), { destination: { host } }).matched_rule !== null;
};

const getFault = (op: string, value: unknown): string => {
  const checked = validateVersion({ rules: [rule(op, value)] });
  assert.ok(!checked.ok, `${op} ${JSON.stringify(value)} is accepted`);
  const [fault] = checked.faults;
  assert.match(fault?.pointer ?? '', /^\/rules\/0\/when\/value/);
  return fault?.message ?? '';
};

test('matches the requests to a host, in any notation of the rule', () => {
  for (const [written, host] of [
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.Example.', 'xn--bcher-kva.example'],
    ['Ｅxample.com', 'example.com'],
    ['API.Example.COM.', 'api.example.com'],
    ['2130706433', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['[2001:DB8:0:0::1]', '[2001:db8::1]'],
    ['2001:db8::1', '[2001:db8::1]'],
  ] as const) {
    assert.ok(matches('eq', written, host), written);
    assert.ok(matches('in', ['other.example', written], host), written);
    assert.ok(!matches('neq', written, host), written);
    assert.ok(!matches('not_in', [written], host), written);
  }
});

test('normalises a piece of a host like the whole', () => {
  for (const [op, piece, host] of [
    ['ends_with', '.Bücher.Example', 'api.xn--bcher-kva.example'],
    ['ends_with', 'bücher.example', 'xn--bcher-kva.example'],
    ['starts_with', 'Bücher.', 'xn--bcher-kva.example'],
    ['contains', '.bücher.', 'a.xn--bcher-kva.example'],
    ['starts_with', '[2001:DB8:', '[2001:db8::1]'],
    ['matches', '^API\\.', 'api.example.com'],
  ] as const) {
    if (piece === 'bücher.example') assert.match(getFault(op, piece), /start and end this text at dots/);
    else assert.ok(matches(op, piece, host), piece);
  }
});

test('rejects a text that is not a host, with a correction', () => {
  assert.match(getFault('eq', 'https://Evil.example/path'), /: "evil\.example"\.$/);
  assert.match(getFault('eq', 'evil.example:443'), /: "evil\.example"\. To compare the port, use the field destination\.port\.$/);
  assert.match(getFault('eq', 'https://evil.example:8443'), /: "evil\.example"\. To compare the port/);
  assert.match(getFault('eq', '*.evil.example'), /ends_with "\.evil\.example"/);
  for (const value of ['evil example', ' evil.example', '', '..', 'a@b', 'evil.example/x', 'fe80::1%eth0'])
    assert.ok(getFault('eq', value).length > 0, value);
  assert.match(getFault('in', ['fine.example', 'evil.example:443']), /evil\.example/);
  for (const [op, piece] of [
    ['starts_with', 'https://evil'],
    ['ends_with', '.example:443'],
    ['ends_with', '.example/'],
    ['contains', '*.example'],
    ['contains', 'bücher'],
    ['not_contains', 'evil example'],
    ['matches', 'bücher'],
  ] as const)
    assert.ok(getFault(op, piece).length > 0, piece);
});

test('accepts a host in any notation in a test, and rejects an invalid one there', () => {
  const tests = (host: string) => [{ name: 't', given: { destination: { host } }, then: { effect: 'BLOCK', rule: 'block' } }];
  for (const host of ['bücher.example', 'XN--BCHER-KVA.example.']) {
    const checked = validateVersion({ rules: [rule('eq', 'Bücher.Example')], tests: tests(host) });
    assert.ok(checked.ok, JSON.stringify(checked));
    assert.deepEqual(findActivationFaults(compiled(checked.body.rules, checked.body.tests as never[])), []);
  }
  const refused = validateVersion({ rules: [rule('eq', 'a.example')], tests: tests('https://a.example') });
  assert.ok(!refused.ok);
  assert.deepEqual(
    refused.faults.map(({ pointer }) => pointer),
    ['/tests/0/given/destination/host'],
  );
});

test('shows the host in the trace as the author wrote it', () => {
  const set = compileUnbound(compiled([rule('eq', 'Bücher.example')]));
  const [consulted] = evaluate(set, { destination: { host: 'xn--bcher-kva.example' } }).matched_rules;
  assert.equal(consulted?.conditions[0]?.expected, 'Bücher.example');
});
