import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isFaults } from '../fault.ts';
import { expandUrl } from './expand-url.ts';
import { parseUrlTemplate } from './url-template.ts';

const expand = (text: string, parameters: object) => {
  const template = parseUrlTemplate(text);
  assert.ok(!('fault' in template), text);
  const url = expandUrl(template, parameters);
  return isFaults(url) ? url.faults : url.href;
};
const getPointers = (text: string, parameters: object) => {
  const faults = expand(text, parameters);
  assert.ok(typeof faults !== 'string', `${text} ${JSON.stringify(parameters)} gave ${faults}`);
  return faults.map(({ pointer }) => pointer);
};

test('percent-encodes parameters into the named part', () => {
  const base = 'https://api.example.com';
  assert.equal(expand(`${base}/v1/customers/{id}`, { id: 'a/b?c#d é' }), `${base}/v1/customers/a%2Fb%3Fc%23d%20%C3%A9`);
  assert.equal(expand(`${base}/files/{+path}`, { path: 'a/b c.txt' }), `${base}/files/a/b%20c.txt`);
  assert.equal(expand(`${base}{/a,b}`, { a: 'x', b: 2 }), `${base}/x/2`);
  assert.equal(expand(`${base}/s{?q,tags*,none}`, { q: 'a&b', tags: ['x', 'y'] }), `${base}/s?q=a%26b&tags=x&tags=y`);
  assert.equal(expand(`${base}/s?fixed=1{&q}`, { q: true }), `${base}/s?fixed=1&q=true`);
  assert.equal(expand(`${base}/c/{customer.id}`, { customer: { id: 5 } }), `${base}/c/5`);
  assert.equal(expand(`${base}/c/{id:3}`, { id: 'abcdef' }), `${base}/c/abc`);
});

test('allows a query parameter to be absent, and no part of the path or host', () => {
  assert.equal(expand('https://h.example/s{?q}', { q: null }), 'https://h.example/s');
  for (const text of ['https://h.example/{id}', 'https://h.example{/id}', 'https://h.example/{+id}', 'https://{id}.example/']) {
    for (const parameters of [{}, { id: null }, { id: '' }, { id: {} }, { id: ['a'] }]) {
      assert.deepEqual(getPointers(text, parameters), ['/parameters/id'], text);
    }
  }
});

test('lets no parameter leave the path', () => {
  const climbs = ['.', '..', '../admin', 'a/../../admin', 'a/..', '..\\admin', './x'];
  for (const id of climbs) {
    assert.deepEqual(getPointers('https://h.example/v1/{id}', { id }), ['/parameters/id'], id);
    assert.deepEqual(getPointers('https://h.example/v1/{+id}', { id }), ['/parameters/id'], id);
  }
  const hidden = ['%2e%2e', '%2E./x', 'a%2f..%2fx', 'a%5c..', '..;/admin', 'a/..;x=y/b', '.;', '%2e%2e%3b', '%252e%252e%252fx', '..%2500'];
  for (const id of [...hidden, '%c0%ae%C0%AE/x', '..%00/x', `%${'25'.repeat(9)}2e/x`, 'a%0ab', 'a%7fb']) {
    assert.deepEqual(getPointers('https://h.example/v1/{+id}', { id }), ['/parameters/id'], id);
  }
  for (const id of ['a;v=1/b..c', '100%25', 'a%3Bb', '...', '..a', 'caf%C3%A9'])
    assert.equal(expand('https://h.example/v1/{+id}', { id }), `https://h.example/v1/${id}`);
  assert.deepEqual(getPointers('https://h.example/v1/{a}{a}', { a: '.' }), ['/parameters/a', '/parameters/a']);
  assert.deepEqual(getPointers('https://h.example/v1/.{a}', { a: '.' }), ['/parameters/a']);
  assert.deepEqual(getPointers('https://h.example/v1/{a:2}/x', { a: '..x' }), ['/parameters']);
});

test('lets no parameter begin a query, a fragment or another member', () => {
  assert.deepEqual(getPointers('https://h.example/{+p}?mode=read', { p: 'a?mode=write#' }), ['/parameters/p']);
  assert.deepEqual(getPointers('https://h.example/{+p}', { p: 'a#b' }), ['/parameters/p']);
  assert.deepEqual(getPointers('https://h.example/?q={+p}', { p: 'a&admin=1' }), ['/parameters/p']);
  assert.equal(expand('https://h.example/{p}?q={p}', { p: '?#&=' }), 'https://h.example/%3F%23%26%3D?q=%3F%23%26%3D');
});

test('limits a parameter in the host to a part of a name', () => {
  assert.equal(expand('https://{region}.api.example/', { region: 'eu-1' }), 'https://eu-1.api.example/');
  assert.equal(expand('https://{host}:{port}/', { host: '127.1', port: 8080 }), 'https://127.0.0.1:8080/');
  for (const host of ['a/b', 'a@b', 'a:80', 'a#', 'a?', 'a\\', 'é', ' ', 'a%2fb', '[::1]', 'a..b', '-']) {
    assert.ok(getPointers('https://{host}/x', { host }).length > 0, host);
  }
  assert.deepEqual(getPointers('https://h.example:{port}/', { port: 'x' }), ['/parameters']);
});

test('rejects control characters, broken characters and overlong values in a URL', () => {
  for (const id of ['a\r\nb', 'a\u0000', '\ud800', 'x'.repeat(2049)]) {
    assert.deepEqual(getPointers('https://h.example/{id}', { id }), ['/parameters/id']);
  }
  assert.deepEqual(getPointers('https://h.example/{id:1}', { id: '😀' }), ['/parameters/id']);
  assert.deepEqual(getPointers('https://h.example/{?a*}', { a: Array.from({ length: 9 }, () => 'x'.repeat(1000)) }), ['/parameters']);
});

test('expands an object with a text conversion, or an inherited name, to nothing', () => {
  assert.deepEqual(getPointers('https://h.example/{id}', { id: { toString: 'x' } }), ['/parameters/id']);
  assert.deepEqual(getPointers('https://h.example/{constructor}', {}), ['/parameters/constructor']);
  assert.equal(expand('https://h.example/{?constructor}', {}), 'https://h.example/');
});

test('keeps scheme, host, port and the literal beginning of the path for any parameter', () => {
  const templates = ['https://h.example/v1/{x}', 'https://h.example/v1/{+x}', 'https://h.example/v1{/x}', 'https://h.example/v1{?x}'];
  const nasty = fc.array(
    fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '?',
      '#',
      '@',
      ':',
      '%2e',
      '%2f',
      '%00',
      '\r\n',
      '\t',
      ' ',
      'evil.example',
      'é',
      '😀',
      '\ud800',
      '&',
      '=',
    ),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...templates),
      fc.oneof(
        nasty.map((parts) => parts.join('')),
        fc.string({ unit: 'binary' }),
      ),
      (text, x) => {
        const href = expand(text, { x });
        if (typeof href !== 'string') return;
        const url = new URL(href);
        assert.equal(url.origin, 'https://h.example');
        assert.match(url.pathname, /^\/v1/);
        assert.equal(url.hash + url.username + url.password, '');
      },
    ),
    { numRuns: 3000 },
  );
});
