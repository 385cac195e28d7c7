import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parameterFormats } from './parameter-formats.ts';

const samples: Readonly<Record<string, readonly [right: string, wrong: string]>> = {
  date: ['2024-02-29', '2023-02-29'],
  time: ['12:30:00Z', '25:00:00Z'],
  'date-time': ['2024-01-01T00:00:00Z', '2024-01-01 noon'],
  duration: ['P1DT2H', 'P'],
  email: ['a@b.example', 'a@'],
  'idn-email': ['é@b.example', 'é@'],
  hostname: ['a.example', '-a-'],
  ipv4: ['127.0.0.1', '127.0.0.256'],
  ipv6: ['::1', ':::'],
  uri: ['https://a.example/x', 'a b'],
  'uri-reference': ['../x?y', '\\x'],
  iri: ['https://é.example/x', 'é b'],
  'iri-reference': ['é?y', '\\é'],
  'uri-template': ['/x/{id}', '/x/{'],
  uuid: ['00000000-0000-4000-8000-000000000000', 'x'],
  'json-pointer': ['/a~1b', 'a'],
  'relative-json-pointer': ['1/a', '/a'],
  regex: ['^a+$', '(a'],
  byte: ['aGk=', 'aGk'],
};
const check = (name: string, text: string): boolean => {
  const format = parameterFormats[name];
  assert.ok(typeof format === 'function', name);
  return format(text) === true;
};

test('distinguishes valid and invalid texts of each format', () => {
  assert.deepEqual(Object.keys(samples), Object.keys(parameterFormats).slice(0, Object.keys(samples).length));
  for (const [name, [right, wrong]] of Object.entries(samples)) {
    assert.equal(check(name, right), true, `${name} ${right}`);
    assert.equal(check(name, wrong), false, `${name} ${wrong}`);
  }
});

test('checks an adversarial text of each format quickly', () => {
  const starts = ['', 'a@', 'http://', 'http://a@', '/', 'P', '2020-01-01T00:00:00.', '[', '"', '{+', 'a@[IPv6:'];
  const repeated = [
    'a',
    '-',
    'a-',
    'a.',
    '1.',
    '0:',
    '::',
    '/',
    '~0',
    '%41',
    'a@a.',
    '{a,',
    '+',
    'a:b@',
    '{',
    'A',
    'é',
    'é.',
    '"',
    '\\\\a',
    '(',
    '1Y',
    '+1',
    '[a',
    ':1',
    '[::',
  ];
  for (const name of Object.keys(samples)) {
    for (const start of starts) {
      for (const piece of repeated) {
        const text = `${start}${piece.repeat(8000 / piece.length)}!`;
        const begun = process.cpuUsage();
        check(name, text);
        const { user, system } = process.cpuUsage(begun);
        assert.ok(user + system < 2_000_000, `${name} ${start}${piece}`);
      }
    }
  }
});

test('rejects a text longer than any value of a format', () => {
  assert.equal(check('uri', `https://a.example/${'a'.repeat(8000)}`), true);
  assert.equal(check('uri', `https://a.example/${'a'.repeat(9000)}`), false);
});
