import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ActionBlocked, ApprovalRequired, createError, GovernanceError, isGovernanceError, NotAuthorized } from './errors.ts';

test('an error has the class of its code, and an unknown code the base class', () => {
  const blocked = createError({ code: 'ACTION_BLOCKED', message: 'no', status: 403 });
  assert.ok(blocked instanceof ActionBlocked && blocked.name === 'ActionBlocked');
  assert.ok(createError({ code: 'CAPABILITY_NOT_GRANTED', message: 'no', status: 403 }) instanceof NotAuthorized);
  for (const code of ['A_CODE_TO_COME', 'constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    const error = createError({ code, message: 'no', status: 403 });
    assert.equal(error.constructor, GovernanceError, code);
    assert.equal(error.message, 'no');
  }
});

test('an error can be tested for its code, and nothing else matches', () => {
  const error = createError({ code: 'NOT_FOUND', message: 'no', status: 404 });
  assert.ok(isGovernanceError(error) && isGovernanceError(error, 'CONFLICT', 'NOT_FOUND'));
  assert.ok(!isGovernanceError(error, 'CONFLICT'));
  for (const other of [new Error('NOT_FOUND'), { code: 'NOT_FOUND' }, 'NOT_FOUND', null, undefined]) assert.ok(!isGovernanceError(other));
});

test('an approval that the details do not describe is an empty id, never another one', () => {
  const error = createError({
    code: 'APPROVAL_REQUIRED',
    message: 'wait',
    status: 403,
    details: { approval_id: 7, poll_after_seconds: 'soon' },
  });
  assert.ok(error instanceof ApprovalRequired);
  assert.deepEqual([error.approvalId, error.pollAfterSeconds, error.expiresAt], ['', 2, '']);
});

test('details that are no decision are not read as one', () => {
  assert.equal(createError({ code: 'ACTION_BLOCKED', message: 'no', details: { decision: 'BLOCK' } }).decision, undefined);
});

test('the text of an error states name, reason and next step', () => {
  const text = (code: string, more: object = {}) => String(createError({ code, message: 'The reason', status: 403, ...more }));
  assert.match(text('ACTION_BLOCKED'), /^ActionBlocked: The reason\. Do not repeat this call\./);
  assert.match(text('APPROVAL_REQUIRED', { details: { approval_id: 'apr_1' } }), /approve this call first \(approval apr_1\)\./);
  assert.match(text('TOOL_DISABLED'), /A person stopped this\./);
  assert.match(text('EXECUTION_TIMEOUT', { status: 504 }), /The outcome is unknown\. Do not repeat/);
  assert.match(text('RATE_LIMITED', { status: 429 }), /Wait, then repeat the same call once\.$/);
  assert.match(text('GONE', { remedy: 'Request a new one.' }), /The reason\. Request a new one\.$/);
  assert.match(text('constructor'), /Do not repeat the same call; report the error\.$/);
});
