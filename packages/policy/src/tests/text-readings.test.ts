import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newRun } from '../evaluation/node.ts';
import { TRUE } from '../evaluation/outcome.ts';
import { isDirectory, isDomain } from '../values/text-patterns.ts';
import { compileEmailDomain } from './email-domain-in.ts';
import { compileEqIgnoreCase } from './eq-ignore-case.ts';
import { compilePathUnder } from './path-under.ts';

const run = newRun(Number.POSITIVE_INFINITY);

test('matches path_under only for a path that every program reads as inside the directory', () => {
  const under = compilePathUnder('/srv/data/');
  for (const text of [
    '/srv/data',
    '/srv/data/',
    '/srv/data/a',
    '/srv/data/a/b.txt',
    '/srv/data/.hidden',
    '/srv/data/..a',
    '/srv/data/a b/ü',
  ])
    assert.equal(under(text, run), TRUE, text);
  for (const text of [
    ...['', '/srv', '/srv/database', '/SRV/data/a', 'srv/data/a', ' /srv/data/a', '/srv/data//etc', '/srv/data/a\n', '/srv/data/\0'],
    ...['/srv/data/../etc/passwd', '/srv/data/./a', '/srv/data/..', '/srv/data/%2e%2e/etc', '/srv/data/..%2fetc', '/srv/data/%252e%252e/x'],
    ...[
      '/srv/data/..\\etc',
      '/srv/data\\..\\etc',
      '/srv/data/.. /etc',
      '/srv/data/. ./etc',
      '/srv/data/.../etc',
      '/srv/data/\uff0e\uff0e/etc',
    ],
    ...['/srv/data/..\uff0fetc', '/srv/data/a\u2215..', 'file:///srv/data/a', '/x/../srv/data/a'],
  ])
    assert.notEqual(under(text, run), TRUE, JSON.stringify(text));
  assert.equal(compilePathUnder('reports')('reports/2026/a.pdf', run), TRUE);
  assert.notEqual(compilePathUnder('reports')('/reports/a', run), TRUE);
});

test('matches email_domain_in only for one address at one of the domains', () => {
  const ours = compileEmailDomain(['acme.example', 'Mail.ACME.example']);
  for (const text of ['a@acme.example', 'A.B+c@ACME.Example', "o'neil@mail.acme.example"]) assert.equal(ours(text, run), TRUE, text);
  for (const text of [
    ...['', 'acme.example', '@acme.example', 'a@b@acme.example', 'a@evil.example,b@acme.example', 'a@evil.example;b@acme.example'],
    ...['a@evil.example b@acme.example', 'a@evil.example\nb@acme.example', 'a@evil.example <b@acme.example>', '<a@acme.example>'],
    ...['a@sub.acme.example', 'a@notacme.example', 'a@acme.example.evil.example', 'a@acme.example.', 'a%evil.example@acme.example'],
    ...['evil!a@acme.example', '"a@evil.example"@acme.example', 'a@acme.example\u200b', 'a\uff20acme.example', 'a@acme\u3002example'],
  ])
    assert.notEqual(ours(text, run), TRUE, JSON.stringify(text));
});

test('ignores the case of A to Z and nothing else in eq_ignore_case', () => {
  const same = compileEqIgnoreCase('Straße K-1');
  for (const text of ['straße k-1', 'STRAßE K-1']) assert.equal(same(text, run), TRUE, text);
  for (const text of ['STRASSE K-1', 'straße \u212a-1', 'straße k-1 ', 'xstraße k-1', 'straße k-2'])
    assert.notEqual(same(text, run), TRUE, text);
});

test('accepts only directories and domains that the operators can match', () => {
  for (const text of ['/srv', 'a/b/', '/srv/data', 'C:/x']) assert.equal(isDirectory(text), true, text);
  for (const text of ['', '/', '/srv/../x', '/srv//x', 'a%20b', 'a\\b', '.', '/.']) assert.equal(isDirectory(text), false, text);
  for (const text of ['acme.example', 'a-b.c']) assert.equal(isDomain(text), true, text);
  for (const text of ['', '@acme.example', 'acme', '.acme.example', '*.acme.example', 'bücher.example', 'a b.c'])
    assert.equal(isDomain(text), false, text);
});
