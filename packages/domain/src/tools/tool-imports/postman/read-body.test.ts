import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNotProposed } from '../draft/proposal.ts';
import { proposeTools } from '../propose-tools.ts';

/** Returns the body type of a request with this text, or why it is refused. */
const sentAs = (raw: string, language?: string, type?: string, disabled = false): string => {
  const body = { mode: 'raw', raw, ...(language ? { options: { raw: { language } } } : {}) };
  const header = type === undefined ? [] : [{ key: 'content-Type', value: type, disabled }];
  const info = { name: 'C', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' };
  const item = [{ name: 'It', request: { method: 'POST', url: 'https://a.example/it', body, header } }];
  const read = proposeTools({ root: { info, item } }, { source: 'shop' });
  assert.ok(!('fault' in read));
  const [only] = [...read.proposals()];
  assert.ok(only !== undefined);
  return isNotProposed(only) ? only.refused : (only.declaration.execution.headers?.['Content-Type'] ?? 'application/json');
};

test('sends a request of a collection as its kind of document, or refuses it', () => {
  const xml = /It sends application\/xml, which tools do not support/;
  assert.match(sentAs('<a/>', 'xml'), xml);
  assert.match(sentAs('<a/>', undefined, 'application/xml; charset=utf-8'), xml);
  assert.match(sentAs('a=1&b=2', 'text', 'application/x-www-form-urlencoded'), /It sends application\/x-www-form-urlencoded/);
  assert.equal(sentAs('{"a": {{amount}}}'), 'application/json');
  assert.equal(sentAs('{"a": {{amount}}}', 'text', 'application/json'), 'application/json');
  assert.equal(sentAs('{"a": 1}', 'json', 'application/vnd.api+json'), 'application/vnd.api+json');
  assert.equal(sentAs('{"a": 1}', 'text', 'text/plain'), 'text/plain');
  assert.equal(sentAs('{"a": 1}', 'json', 'application/xml', true), 'application/json');
  assert.equal(sentAs('{"a": 1}', 'text'), 'text/plain');
  assert.equal(sentAs('{"a": 1}', 'json', '{{type}}'), 'application/json');
  assert.equal(sentAs('{"a": 1, {{more}}}'), 'application/json');
  assert.equal(sentAs('hello', 'text'), 'text/plain');
  assert.equal(sentAs('hello'), 'text/plain');
});
