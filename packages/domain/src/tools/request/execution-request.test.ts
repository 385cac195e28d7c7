import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolExecution } from '@svc/contract/tools/tools.ts';
import { type Fault, isFaults } from '../fault.ts';
import { buildExecutionRequest } from './execution-request.ts';
import { listExecutionNames, parseExecution } from './parse-execution.ts';

const base: ToolExecution = { method: 'POST', url: 'https://api.example.com/v1/refunds' };

const build = (execution: Partial<ToolExecution>, parameters: Record<string, unknown>) => {
  const parsed = parseExecution({ ...base, ...execution });
  assert.ok(!isFaults(parsed), JSON.stringify(parsed));
  return buildExecutionRequest(parsed, parameters);
};
const built = (execution: Partial<ToolExecution>, parameters: Record<string, unknown>) => {
  const request = build(execution, parameters);
  assert.ok(!isFaults(request), JSON.stringify(request));
  return request;
};
const listFaults = (execution: Partial<ToolExecution>, parameters: Record<string, unknown>): readonly Fault[] => {
  const request = build(execution, parameters);
  assert.ok(isFaults(request), JSON.stringify(request));
  return request.faults;
};
const declarationFaults = (execution: Partial<ToolExecution>): readonly string[] => {
  const parsed = parseExecution({ ...base, ...execution });
  return isFaults(parsed) ? parsed.faults.map(({ pointer }) => pointer) : [];
};

test('sends the whole parameters as JSON for POST, PUT and PATCH without a declared body, and none for GET and DELETE', () => {
  assert.deepEqual(built({}, { amount: 5, note: 'ü' }), {
    method: 'POST',
    url: 'https://api.example.com/v1/refunds',
    headers: { 'content-type': 'application/json' },
    body: '{"amount":5,"note":"ü"}',
  });
  for (const method of ['GET', 'DELETE'] as const) {
    assert.equal(built({ method }, { amount: 5 }).body, undefined);
    assert.deepEqual({ ...built({ method }, { amount: 5 }).headers }, {});
  }
});

test('fills a declared body: whole values keep their JSON type, texts are interpolated, absent members are omitted', () => {
  const body = { id: '{order.id}', note: 'Refund of {{{amount}}}', lines: ['{line}', '{none}', 1], none: '{none}', fixed: { a: null } };
  const request = built({ body }, { order: { id: 7 }, amount: 5, line: { sku: 'x' } });
  assert.deepEqual(JSON.parse(request.body ?? ''), { id: 7, note: 'Refund of {5}', lines: [{ sku: 'x' }, 1], fixed: { a: null } });
  assert.equal(built({ body: '{order}' }, { order: [1] }).body, '[1]');
  assert.equal(built({ body: { order: '{order}' } }, { order: null }).body, '{"order":null}');
  const without = built({ body: '{order}' }, {});
  assert.deepEqual([without.body, { ...without.headers }], [undefined, {}], 'a body that is one absent parameter is not sent');
  assert.deepEqual(
    listFaults({ body: { a: 'x {order}' } }, { order: {} }).map(({ pointer }) => pointer),
    ['/parameters/order'],
  );
});

test('keeps a value inside its position in a JSON or form body', () => {
  const value = '","admin":true,"x":"&admin=1';
  assert.deepEqual(JSON.parse(built({ body: { note: 'a{note}' } }, { note: value }).body ?? ''), { note: `a${value}` });
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const request = built({ headers, body: { note: '{note}', n: 1, b: true, none: '{none}' } }, { note: value });
  assert.equal(request.headers['content-type'], 'application/x-www-form-urlencoded');
  assert.deepEqual(
    [...new URLSearchParams(request.body)],
    [
      ['note', value],
      ['n', '1'],
      ['b', 'true'],
    ],
  );
  assert.equal(built({ headers }, { a: 'x y', b: null }).body, 'a=x+y');
  assert.deepEqual(listFaults({ headers }, { a: {} }).length, 1);
  const parameters = JSON.parse('{"__proto__":{"admin":true}}');
  assert.equal(built({ body: JSON.parse('{"__proto__":"{__proto__}"}') }, parameters).body, '{"__proto__":{"admin":true}}');
});

test('sends plain text as filled', () => {
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  assert.deepEqual(built({ headers, body: 'Hello {name}' }, { name: 'Ada' }), {
    method: 'POST',
    url: base.url,
    headers,
    body: 'Hello Ada',
  });
  assert.equal(listFaults({ headers, body: '{name}' }, { name: {} }).length, 1);
});

test('adds query members to those of the URL, repeated for arrays and omitted if absent', () => {
  const request = built({ method: 'GET', query: { q: '{q}', tag: '{tags}', none: '{none}', s: 'p {q}' } }, { q: 'a&b', tags: ['x', 1] });
  assert.equal(request.url, `${base.url}?q=a%26b&tag=x&tag=1&s=p%20a%26b`);
  const url = 'https://api.example.com/s{?page}';
  assert.equal(built({ method: 'GET', url, query: { q: '{q}' } }, { q: '1', page: 2 }).url, 'https://api.example.com/s?page=2&q=1');
  for (const q of [{}, [{}], [null], 'x'.repeat(3000), Array.from({ length: 101 }, () => 'x'), '\ud800']) {
    assert.deepEqual(
      listFaults({ method: 'GET', query: { q: '{q}' } }, { q }).map(({ pointer }) => pointer),
      ['/parameters/q'],
    );
  }
});

test('keeps a parameter inside its header', () => {
  const headers = { 'X-Order': 'no {id}', 'x-note': '{note}' };
  assert.deepEqual({ ...built({ method: 'GET', headers }, { id: 7 }).headers }, { 'x-order': 'no 7' });
  for (const id of ['a\r\nx-admin: 1', 'a\nb', 'a\rb', 'a\u0000b', 'é', '\u0085', 'x\u2028y']) {
    const [fault] = listFaults({ method: 'GET', headers }, { id });
    assert.equal(fault?.pointer, '/parameters/id');
    assert.match(fault?.message ?? '', /printable ASCII/);
  }
  assert.equal(listFaults({ method: 'GET', headers }, { id: 'x'.repeat(9000) }).length, 1);
});

test('rejects headers of the connection and of credentials, in any case', () => {
  const names = ['Host', 'content-length', 'Transfer-Encoding', 'CONNECTION', 'Upgrade', 'TE', 'Trailer', 'Expect', 'Keep-Alive'];
  for (const name of [
    '__proto__',
    ...names,
    'Proxy-Authorization',
    'Authorization',
    'Cookie',
    'Accept-Encoding',
    'a b',
    'a:b',
    'é',
    '',
    'x\r\ny',
  ]) {
    assert.equal(declarationFaults({ headers: { [name]: 'x' } }).length, 1, name);
  }
  assert.deepEqual(declarationFaults({ headers: { 'X-A': '1', 'x-a': '2' } }), ['/execution/headers/x-a']);
  assert.deepEqual(declarationFaults({ headers: { 'x-a': 'a\r\nb' } }), ['/execution/headers/x-a']);
});

test('rejects an impossible declaration with a pointer to each fault', () => {
  assert.deepEqual(declarationFaults({ method: 'GET', body: {} }), ['/execution/body']);
  assert.deepEqual(declarationFaults({ body: { a: { b: ['{'] } } }), ['/execution/body/a/b/0']);
  assert.deepEqual(declarationFaults({ url: 'ftp://x', query: { 'a/b': '{' }, headers: { 'x-a': '}' } }), [
    '/execution/url',
    '/execution/query/a~1b',
    '/execution/headers/x-a',
  ]);
  assert.deepEqual(declarationFaults({ headers: { 'content-type': 'application/xml' }, body: '<a>{b}</a>' }), [
    '/execution/headers/content-type',
  ]);
  assert.deepEqual(declarationFaults({ headers: { 'content-type': 'text/plain' } }), ['/execution/body']);
  assert.deepEqual(declarationFaults({ headers: { 'content-type': 'text/plain' }, body: {} }), ['/execution/body']);
  assert.deepEqual(declarationFaults({ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: { a: {} } }), [
    '/execution/body',
  ]);
  assert.deepEqual(declarationFaults({ body: Array.from({ length: 65 }, () => '{a}') }), ['/execution/body']);
  assert.deepEqual(declarationFaults({ body: JSON.parse('['.repeat(200) + ']'.repeat(200)) }).length, 1);
  assert.deepEqual(declarationFaults({ headers: { 'content-type': 'application/merge-patch+json' } }), []);
});

test('prevents a small declaration from building a huge request', () => {
  const body = Array.from({ length: 64 }, () => '{a}');
  assert.deepEqual(listFaults({ body }, { a: 'x'.repeat(60_000) }), [
    { pointer: '/parameters', message: 'produce a body of more than 1048576 characters' },
  ]);
});

test('returns every parameter that an execution names, with its position', () => {
  const parsed = parseExecution({
    ...base,
    url: 'https://api.example.com/{a}{?b}',
    headers: { 'x-c': '{c}' },
    query: { d: '{d.e}' },
    body: { f: ['{f}', 'x {g}'], h: 1 },
  });
  assert.ok(!isFaults(parsed));
  assert.deepEqual(
    listExecutionNames(parsed).map(({ name, pointer }) => `${name} ${pointer}`),
    [
      'a /execution/url',
      'b /execution/url',
      'c /execution/headers/x-c',
      'd.e /execution/query/d',
      'f /execution/body',
      'g /execution/body',
    ],
  );
});
