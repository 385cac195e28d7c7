import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BuiltInRoleName, getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { AGENT_STATUSES, APPROVAL_STATUSES, PRINCIPAL_TYPES } from '@svc/contract/tables/vocabulary.ts';
import { refuseApproval, refuseDenial, type VotedOn, type Voter } from './vote-refusal.ts';

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

const getRole = (name: BuiltInRoleName) => ({ ...getBuiltInRole(name), built_in: true });
const ann: Voter = { type: 'USER', id: 'usr_ann', role: getRole('approver'), stepped_up: false };

/** Returns the codes of approving and of denying. */
const codes = (votedOn: Partial<VotedOn>, voter: Partial<Voter> = {}) =>
  [refuseApproval, refuseDenial].map((judge) => judge(approval(votedOn), { ...ann, ...voter }, now)?.refused ?? null);

test('lets a person in the requested role approve and deny', () => {
  assert.deepEqual(codes({}), [null, null]);
});

test('lets only people vote, for any role', () => {
  for (const type of PRINCIPAL_TYPES.filter((each) => each !== 'USER')) {
    assert.deepEqual(codes({}, { type, role: getRole('owner') }), ['PERMISSION_DENIED', 'PERMISSION_DENIED'], type);
  }
});

test('rejects the vote of another role, and of a former member', () => {
  assert.deepEqual(codes({}, { role: getRole('admin') }), ['PERMISSION_DENIED', 'PERMISSION_DENIED']);
  assert.deepEqual(codes({}, { role: null }), ['PERMISSION_DENIED', 'PERMISSION_DENIED']);
});

test("rejects an approval of one's own request, even by an owner; withdrawing it is allowed", () => {
  const excluded = new Map([['usr_ann', 'AGENT' as const]]);
  assert.deepEqual(codes({ excluded }), ['PERMISSION_DENIED', null]);
  assert.deepEqual(codes({ excluded }, { role: getRole('owner') }), ['PERMISSION_DENIED', null]);
});

test('requires a recent step-up for approving and not for denying, if there is one', () => {
  assert.deepEqual(codes({ step_up: true }), ['STEP_UP_REQUIRED', null]);
  assert.deepEqual(codes({ step_up: true }, { stepped_up: true }), [null, null]);
});

test('decides nothing for an ended agent, and everything for one that may return', () => {
  const over = ['EXPIRED', 'DECOMMISSIONED', 'REVOKED'];
  for (const agent_status of AGENT_STATUSES) {
    const expected = over.includes(agent_status) ? 'INVALID_STATE_TRANSITION' : null;
    assert.deepEqual(codes({ agent_status }), [expected, expected], agent_status);
  }
  const { details, message } = refuseDenial(approval({ agent_status: 'EXPIRED' }), ann, now) ?? {};
  assert.deepEqual([details?.operation, details?.from], ['deny', 'EXPIRED']);
  assert.match(message ?? '', /agent is EXPIRED/);
});

test('decides only a pending approval', () => {
  for (const status of APPROVAL_STATUSES) {
    const expected = status === 'PENDING' ? null : status === 'EXPIRED' ? 'APPROVAL_EXPIRED' : 'INVALID_STATE_TRANSITION';
    assert.deepEqual(codes({ status }), [expected, expected], status);
  }
});

test('treats an approval as expired from that moment, before a job has recorded it', () => {
  const expires_at = now.toISOString();
  assert.deepEqual(codes({ expires_at }), ['APPROVAL_EXPIRED', 'APPROVAL_EXPIRED']);
  assert.deepEqual(codes({ expires_at, status: 'APPROVED' }), ['APPROVAL_EXPIRED', 'APPROVAL_EXPIRED']);
  assert.deepEqual(codes({ expires_at, status: 'DENIED' }), ['INVALID_STATE_TRANSITION', 'INVALID_STATE_TRANSITION']);
});

test('accepts one vote per person', () => {
  assert.deepEqual(codes({ voters: new Set(['usr_ann']) }), ['CONFLICT', 'CONFLICT']);
});

test('discloses nothing of the state to a person who may not vote', () => {
  assert.deepEqual(codes({ status: 'DENIED' }, { role: getRole('viewer') }), ['PERMISSION_DENIED', 'PERMISSION_DENIED']);
});
