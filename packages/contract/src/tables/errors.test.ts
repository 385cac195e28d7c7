import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_CODES, ERRORS, type ErrorCode, type RetryClass } from './errors.ts';

const byStatus = (status: number): ErrorCode[] => ERROR_CODES.filter((code) => ERRORS[code].status === status);

test('the table holds exactly 57 codes, spelled in capitals', () => {
  assert.equal(ERROR_CODES.length, 57);
  for (const code of ERROR_CODES) assert.match(code, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/);
});

test('every status has as many codes as the contract states', () => {
  const counts = Object.fromEntries(
    [...new Set(ERROR_CODES.map((code) => ERRORS[code].status))].map((status) => [status, byStatus(status).length]),
  );
  const expected = { 400: 7, 401: 7, 402: 1, 403: 25, 404: 1, 409: 4, 410: 1, 422: 1, 429: 1, 500: 1, 502: 1, 503: 6, 504: 1 };
  assert.deepEqual(counts, expected);
});

test('the status alone determines whether to retry', () => {
  const classes: Record<number, RetryClass> = {
    400: 'no',
    401: 'once_after_reauthentication',
    402: 'no',
    403: 'never',
    404: 'no',
    409: 'no',
    410: 'no',
    422: 'no',
    429: 'backoff',
    500: 'once',
    502: 'depends_on_downstream',
    503: 'backoff',
    504: 'idempotent_only_after_check',
  };
  for (const code of ERROR_CODES) assert.equal(ERRORS[code].retry, classes[ERRORS[code].status], code);
});

test('every fail-closed code is a 503, and states that nothing was allowed', () => {
  const unavailable = ERROR_CODES.filter((code) => code.endsWith('_UNAVAILABLE'));
  assert.deepEqual(unavailable, byStatus(503));
  assert.equal(unavailable.length, 6);
  for (const code of unavailable.filter((each) => each !== 'DEPENDENCY_UNAVAILABLE'))
    assert.match(ERRORS[code].when, /nothing was allowed/);
});

test('every text is a unique sentence', () => {
  for (const code of ERROR_CODES) {
    const { message, when, remedy } = ERRORS[code];
    for (const text of [message, when, remedy]) assert.match(text, /^[A-Z].{10,180}\.$/, `${code}: ${text}`);
  }
  const messages = ERROR_CODES.map((code) => ERRORS[code].message);
  assert.equal(new Set(messages).size, messages.length);
});

test('a refused connection between agents has the code that names both sides', () => {
  assert.equal(ERRORS.A2A_CONNECTION_BLOCKED.status, 403);
});

test('every code has a title and an action for people', () => {
  for (const code of ERROR_CODES) {
    const { title, action } = ERRORS[code].people;
    assert.match(title, /^[A-Z].{3,45}[^.]$/, `${code}: ${title}`);
    assert.match(action, /^[A-Z].{5,80}\.$/, `${code}: ${action}`);
  }
});
