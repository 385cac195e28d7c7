import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUrlTemplate } from './url-template.ts';

const getDestination = (text: string) => {
  const template = parseUrlTemplate(text);
  assert.ok(!('fault' in template), `${text}: ${JSON.stringify(template)}`);
  return template.destination;
};

test('knows a literal host before any parameter', () => {
  const api = { scheme: 'https', host: 'api.example.com', port: 443 };
  for (const text of [
    'https://api.example.com',
    'HTTPS://API.example.com/v1/{id}',
    'https://api.example.com{/id}',
    'https://api.example.com{?q*}',
    'https://api.example.com?q={q}',
    'https://api.example.com/{+path}{?a,b:3}{&c}',
  ]) {
    assert.deepEqual(getDestination(text), api, text);
  }
  assert.deepEqual(getDestination('http://[::1]:8080/{id}'), { scheme: 'http', host: '[::1]', port: 8080 });
});

test('does not know a host or port with a parameter beforehand', () => {
  for (const text of ['https://{host}/', 'https://{region}.example.com/', 'https://example.com:{port}/x', 'https://api{x}']) {
    assert.equal(getDestination(text), undefined, text);
  }
});

const faulty = [
  '',
  'api.example.com/v1',
  '{+url}',
  '{scheme}://api.example.com',
  'ftp://api.example.com',
  'https:/api.example.com',
  'https://',
  'https:///v1',
  'https://{+host}/',
  'https://{a,b}/',
  'https://{a*}/',
  'https://{a:3}/',
  'https://api{.x}/',
  'https://api{;x}/',
  'https://api{&x}',
  'https://api.example.com{#x}',
  'https://api.example.com/#x',
  'https://api.example.com/v1/{#x}',
  'https://user:secret@api.example.com/',
  'https://user@{host}/',
  'https://api.example.com\\@evil.example/',
  'https://api.example.com/v1/../admin',
  'https://api.example.com/v1/%2E%2e/admin',
  'https://api.example.com/v1/./x',
  'https://api.example.com/a b',
  'https://api.example.com/%zz',
  'https://api.example.com/é',
  'https://api.example.com/{id',
  'https://api.example.com/id}',
  'https://api.example.com/{}',
  'https://api.example.com/{i-d}',
  'https://api.example.com/{a..b}',
  'https://api.example.com/{=x}',
  'https://api.example.com/{!x}',
  'https://api.example.com/{?x}{?y}',
  'https://api.example.com/{&x}',
  'https://api.example.com/{x:0}',
  'https://api.example.com/{x*:3}',
  'https://api.example.com:0/',
  `https://api.example.com/${'{x}'.repeat(33)}`,
];

test('rejects a template that could hide its destination, or that RFC 6570 does not accept', () => {
  for (const text of faulty) assert.ok('fault' in parseUrlTemplate(text), text);
});
