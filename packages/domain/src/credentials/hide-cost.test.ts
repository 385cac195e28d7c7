import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newHider } from './hide-secret.ts';

const filled = (piece: string, chars: number): string => piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars);
const basic = (password: string): string => Buffer.from(`u:${password}`).toString('base64');
const withBasic = (...passwords: string[]): string[] => passwords.flatMap((password) => [password, basic(password)]);

/** Secrets and responses that almost contain them everywhere: far longer than allowed, so that quadratic time shows. */
const PAIRS: Readonly<Record<string, { readonly secrets: readonly string[]; readonly answer: string }>> = {
  'quotes and backslashes': { secrets: [filled('\\"', 16_384)], answer: filled('\\\\"', 260_000) },
  'the same ending in a backslash': { secrets: [filled('"\\', 16_384)], answer: filled('\\\\"', 260_000) },
  'runs of backslashes': { secrets: [filled('\\\\\\"', 16_384)], answer: filled(`${'\\'.repeat(900)}"`, 260_000) },
  'one letter, escaped': { secrets: [filled('a', 32_768)], answer: filled('\\u0061', 130_000) },
  'a user and two passwords': { secrets: withBasic(filled('\\"', 16_384), filled('"\\', 16_384)), answer: filled('\\\\"', 130_000) },
  'the base64 of those': {
    secrets: withBasic(filled('\\"', 16_384), filled('"\\', 16_384)),
    answer: filled(basic('\\"'.repeat(99)), 260_000),
  },
  'three tokens': {
    secrets: [filled('a', 24_576), `${filled('a', 24_575)}b`, `b${filled('a', 24_575)}`],
    answer: filled('\\u0061', 100_000),
  },
};

for (const [name, { secrets, answer }] of Object.entries(PAIRS))
  test(`masks secrets in time linear in their length and that of the response: ${name}`, () => {
    const { inText } = newHider(secrets);
    const started = process.cpuUsage();
    inText(answer);
    const { user, system } = process.cpuUsage(started);
    assert.ok((user + system) / 1_000 < 1_500, `${(user + system) / 1_000} ms`);
  });

test('skips secrets of which not even half would fit into a short response', () => {
  const dear = [filled('\\"', 16_384), filled('"\\', 16_384), `${filled('\\"', 16_000)}a`];
  const hiders = Array.from({ length: 20 }, () => newHider(['sk_live_0123456789', ...dear]));
  const answer = 'sk_live_0123456789, '.repeat(300);
  const started = process.cpuUsage();
  for (const { inText } of hiders) assert.equal(inText(answer).includes('sk_'), false);
  const { user, system } = process.cpuUsage(started);
  assert.ok((user + system) / 1_000 < 80, `${(user + system) / 1_000} ms`);
});
