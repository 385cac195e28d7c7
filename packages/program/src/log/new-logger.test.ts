import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { maskSecretText } from '@svc/policy/masks/mask-secrets.ts';
import { newLogger } from './new-logger.ts';

const collect = () => {
  const lines: string[] = [];
  return { lines, log: newLogger('control', 'debug', { write: (line: string) => void lines.push(line) }) };
};

test('masks secrets in the log, by member name at any depth and by the form of a text', () => {
  const { lines, log } = collect();
  const jws = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
  log.info({
    body: { password: 'hunter2hunter2', nested: [{ private_key: 'MC4CAQ' }] },
    header: `Bearer abcdefghijkl`,
    said: `it was ${jws}`,
  });
  log.error({ err: new Error('token svc_ses_abcdefghijklmnop was refused') }, 'svc_key_abcdefghijklmnop');
  const text = lines.join('');
  for (const secret of ['hunter2', 'MC4CAQ', 'abcdefghijkl', jws]) {
    assert.ok(!lines[0]?.includes(secret) && !lines[1]?.replace('svc_key_abcdefghijklmnop', '').includes(secret), `${secret} in ${text}`);
  }
});

test('masks every kind of issued secret in the log, and in traces alike', () => {
  for (const prefix of Object.values(SECRET_PREFIXES)) {
    const secret = `${prefix}abcdefghijklmnopqrstuvwxyz012345`;
    const { lines, log } = collect();
    log.warn({ err: new Error(`asked with ${secret} and failed`), at: [`/setup?link=${secret}`] });
    assert.ok(!lines.join('').includes('abcdefghijkl'), lines.join(''));
    assert.equal(maskSecretText(`asked with ${secret}`), 'asked with [masked]');
  }
});

test('logs name, message, stack and code of an error, and nothing of its row', () => {
  const { lines, log } = collect();
  log.error({ err: Object.assign(new TypeError('broken'), { code: '23505', detail: 'Key (email)=(a@b.c) exists' }), request_id: 'req_1' });
  const line = JSON.parse(lines[0] ?? '');
  assert.deepEqual([line.err.type, line.err.message, line.err.code, line.request_id], ['TypeError', 'broken', '23505', 'req_1']);
  assert.ok(line.err.stack.includes('new-logger.test.ts'));
  assert.ok(!lines[0]?.includes('a@b.c'));
});

test('writes the line of a request unchanged, with the ids of its response', () => {
  const { lines, log } = collect();
  const access = { request_id: 'req_1', trace_id: 'a'.repeat(32), method: 'GET', route: '/v1/agents', status: 200, ms: 1.5 };
  log.info(access);
  const { level: _, time, plane, ...rest } = JSON.parse(lines[0] ?? '');
  assert.deepEqual(rest, access);
  assert.equal(plane, 'control');
  assert.match(time, /Z$/);
});
