import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolExecution } from '@svc/contract/tools/tools.ts';
import { isFaults } from '../fault.ts';
import { buildExecutionRequest } from './execution-request.ts';
import { parseExecution } from './parse-execution.ts';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

const declared = (execution: Partial<ToolExecution>) => parseExecution({ method: 'POST', url: 'https://a.example/it', ...execution });
const readFault = (execution: Partial<ToolExecution>): string => {
  const parsed = declared(execution);
  return isFaults(parsed) ? parsed.faults.map(({ pointer, message }) => `${pointer} ${message}`).join() : 'none';
};
const sent = (execution: Partial<ToolExecution>, parameters: Readonly<Record<string, unknown>>): string => {
  const parsed = declared(execution);
  assert.ok(!isFaults(parsed), JSON.stringify(parsed));
  const request = buildExecutionRequest(parsed, parameters);
  if (isFaults(request)) return request.faults.map(({ pointer, message }) => `${pointer} ${message}`).join();
  return execution.query === undefined ? (request.body ?? '') : new URL(request.url).search;
};
const form = (metadata: unknown, more: object = {}) =>
  sent({ headers: FORM, body: { 'metadata[*]': '{metadata}', ...more } }, { metadata });
const query = (filter: unknown) => sent({ method: 'GET', query: { 'filter[*]': '{filter}' } }, { filter });

test('writes each member of a parameter under its own name', () => {
  assert.equal(
    decodeURIComponent(form({ a: 1, b: { c: [true, 'x'] }, d: null, e: [{ f: 2 }] })),
    'metadata[a]=1&metadata[b][c][]=true&metadata[b][c][]=x&metadata[e][0][f]=2',
  );
  assert.equal(form(undefined), '');
  assert.equal(form(''), 'metadata=');
  assert.equal(decodeURIComponent(query({ a: { b: 1 } })), '?filter[a][b]=1');
});

test('lets no member name reach another field, and bounds what is written', () => {
  for (const key of ['a]', '[a', 'a][b', '', 'x'.repeat(201), '\ud800'])
    assert.match(form({ [key]: 1 }), /must have member names of 1 to 200/);
  assert.equal(form({ 'a&admin': 'b=c&d' }), 'metadata%5Ba%26admin%5D=b%3Dc%26d');
  assert.match(form(Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`k${n}`, n]))), /must have at most 500 values/);
  assert.match(query(Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`k${n}`, n]))), /must have at most 100 values/);
  let deep: unknown = 1;
  for (let level = 0; level < 9; level += 1) deep = { a: deep };
  assert.match(form(deep), /must not nest deeper than 8 levels/);
  assert.match(form({ a: '\ud800' }), /must contain strings/);
  assert.match(query({ api_key: 'x' }), /\/parameters\/filter must not have a member api_key in the query/);
});

test('refuses a declaration in which a member could repeat another field', () => {
  const body = (members: object) => readFault({ headers: FORM, body: members });
  const spread = { 'metadata[*]': '{metadata}' };
  assert.equal(body({ ...spread, metadatax: '1' }), 'none');
  assert.match(body({ ...spread, 'metadata[source]': 'agent' }), /must not be used together with metadata\[source\]/);
  assert.match(body({ ...spread, Metadata: '{other}' }), /must not be used together with metadata/);
  assert.match(body({ 'metadata[*]': 'x{metadata}' }), /must be exactly one parameter/);
  assert.match(body({ 'metadata[*]': 1 }), /must be exactly one parameter/);
  assert.match(body({ '[*]': '{metadata}' }), /must have a name before/);
  assert.match(
    readFault({ method: 'GET', query: { 'f[*]': '{f}', 'f[a]': '1' } }),
    /\/execution\/query\/f\[\*\] must not be used together with f\[a\]/,
  );
  assert.match(readFault({ method: 'GET', query: { 'f[*]': '{f}{g}' } }), /must be exactly one parameter/);
});

test('spreads no field of a body that is the parameters themselves', () => {
  assert.match(sent({ headers: FORM }, { 'a[*]': { b: 1 } }), /must have a string, number or boolean/);
});
