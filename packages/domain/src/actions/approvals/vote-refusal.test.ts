import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BuiltInRoleName, builtInRole } from '@svc/contract/tables/built-in-roles.ts';
import { AGENT_STATUSES, APPROVAL_STATUSES, PRINCIPAL_TYPES } from '@svc/contract/tables/vocabulary.ts';
import { approveRefusal, denyRefusal, type VotedOn, type Voter } from './vote-refusal.ts';

const now = new Date('2030-01-01T12:00:00.000Z');

const approval = (more: Partial<VotedOn> = {}): VotedOn => ({
  status: 'PENDING',
  agent_status: 'ACTIVE',
  expires_at: '2030-01-01T12:00:00.001Z',
  approver_roles: ['approver'],
  quorum: 1,
  wording: 1,
  step_up: false,
  excluded: new Map([['agt_1', 'REQUEST']]),
  voters: new Set(),
  ...more,
});

const roleOf = (name: BuiltInRoleName) => ({ ...builtInRole(name), built_in: true });
const ann: Voter = { type: 'USER', id: 'usr_ann', role: roleOf('approver'), stepped_up: false };

/** Returns the codes of approving and of denying. */
const codes = (votedOn: Partial<VotedOn>, voter: Partial<Voter> = {}) =>
  [approveRefusal, denyRefusal].map((judge) => judge(approval(votedOn), { ...ann, ...voter }, now)?.refused ?? null);

test('a person in the role that is asked for may approve and deny', () => {
  assert.deepEqual(codes({}), [null, null]);
});

test('nobody but a person votes, whatever their role', () => {
  for (const type of PRINCIPAL_TYPES.filter((each) => each !== 'USER')) {
    assert.deepEqual(codes({}, { type, role: roleOf('owner') }), ['PERMISSION_DENIED', 'PERMISSION_DENIED'], type);
  }
});

test('another role may not vote, and neither may one who has left', () => {
  assert.deepEqual(codes({}, { role: roleOf('admin') }), ['PERMISSION_DENIED', 'PERMISSION_DENIED']);
  assert.deepEqual(codes({}, { role: null }), ['PERMISSION_DENIED', 'PERMISSION_DENIED']);
});

test('nobody approves what they asked for themselves, be they the owner; taking it back is theirs', () => {
  const excluded = new Map([['usr_ann', 'AGENT' as const]]);
  assert.deepEqual(codes({ excluded }), ['PERMISSION_DENIED', null]);
  assert.deepEqual(codes({ excluded }, { role: roleOf('owner') }), ['PERMISSION_DENIED', null]);
});

test('where a step-up is asked for, approving needs a fresh one and denying does not', () => {
  assert.deepEqual(codes({ step_up: true }), ['STEP_UP_REQUIRED', null]);
  assert.deepEqual(codes({ step_up: true }, { stepped_up: true }), [null, null]);
});

test('nothing is decided for an agent that is over, and anything for one that may come back', () => {
  const over = ['EXPIRED', 'DECOMMISSIONED', 'REVOKED'];
  for (const agent_status of AGENT_STATUSES) {
    const expected = over.includes(agent_status) ? 'INVALID_STATE_TRANSITION' : null;
    assert.deepEqual(codes({ agent_status }), [expected, expected], agent_status);
  }
  const { details, message } = denyRefusal(approval({ agent_status: 'EXPIRED' }), ann, now) ?? {};
  assert.deepEqual([details?.operation, details?.from], ['deny', 'EXPIRED']);
  assert.match(message ?? '', /agent is EXPIRED/);
});

test('only what is pending can be decided', () => {
  for (const status of APPROVAL_STATUSES) {
    const expected = status === 'PENDING' ? null : status === 'EXPIRED' ? 'APPROVAL_EXPIRED' : 'INVALID_STATE_TRANSITION';
    assert.deepEqual(codes({ status }), [expected, expected], status);
  }
});

test('what has run out is expired from that very moment, before any clock has noted it', () => {
  const expires_at = now.toISOString();
  assert.deepEqual(codes({ expires_at }), ['APPROVAL_EXPIRED', 'APPROVAL_EXPIRED']);
  assert.deepEqual(codes({ expires_at, status: 'APPROVED' }), ['APPROVAL_EXPIRED', 'APPROVAL_EXPIRED']);
  assert.deepEqual(codes({ expires_at, status: 'DENIED' }), ['INVALID_STATE_TRANSITION', 'INVALID_STATE_TRANSITION']);
});

test('a person votes once', () => {
  assert.deepEqual(codes({ voters: new Set(['usr_ann']) }), ['CONFLICT', 'CONFLICT']);
});

test('who may not vote learns nothing of the state', () => {
  assert.deepEqual(codes({ status: 'DENIED' }, { role: roleOf('viewer') }), ['PERMISSION_DENIED', 'PERMISSION_DENIED']);
});
