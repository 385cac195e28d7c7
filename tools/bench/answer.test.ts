import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from './answer.ts';

const proof = Buffer.from('"decision":"ALLOW"');
const answer = (status: string, body: string): Buffer =>
  Buffer.from(`HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\nx-request-id: req_1\r\n\r\n${body}`);
const allowed = answer('200 OK', '{"decision":"ALLOW"}');

test('a response is correct only with status 200 and the expected decision', () => {
  assert.equal(readAnswer(allowed, proof)?.ok, true);
  assert.equal(readAnswer(answer('403 Forbidden', '{"decision":"ALLOW"}'), proof)?.ok, false);
  assert.equal(readAnswer(answer('200 OK', '{"decision":"BLOCK"}'), proof)?.ok, false);
});

test('a response is read after all of its body has arrived, and never beyond its length', () => {
  assert.equal(readAnswer(allowed, proof)?.length, allowed.length);
  for (let size = 0; size < allowed.length; size += 1) assert.equal(readAnswer(allowed.subarray(0, size), proof), undefined);
  assert.throws(() => readAnswer(Buffer.concat([allowed, Buffer.from('H')]), proof), /longer than it says/);
});
