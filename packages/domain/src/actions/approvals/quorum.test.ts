import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BuiltInRoleName, getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { countApprovers, type QuorumApprover } from './quorum.ts';

const person = (user_id: string, role: BuiltInRoleName | null): QuorumApprover => ({
  user_id,
  role: role && { ...getBuiltInRole(role), built_in: true },
});

test('grants an approval for one with one approver', () => {
  assert.equal(countApprovers({ quorum: 1, approver_roles: ['approver'] }, [person('ann', 'approver')]).granted, true);
});

test('counts different people: the same person twice is one', () => {
  const terms = { quorum: 2, approver_roles: ['approver'] };
  const ann = person('ann', 'approver');
  assert.deepEqual(countApprovers(terms, [ann, ann]), { granted: false, people: ['ann'], missing_roles: ['approver'] });
  assert.equal(countApprovers(terms, [ann, person('ben', 'approver')]).granted, true);
});

test('requires every requested role among the approvers', () => {
  const terms = { quorum: 2, approver_roles: ['approver', 'security'] };
  assert.deepEqual(countApprovers(terms, [person('ann', 'approver'), person('ben', 'approver')]), {
    granted: false,
    people: ['ann', 'ben'],
    missing_roles: ['security'],
  });
  assert.equal(countApprovers(terms, [person('ann', 'approver'), person('cleo', 'security')]).granted, true);
});

test('counts an owner for every role, and still as one person', () => {
  const terms = { quorum: 2, approver_roles: ['approver', 'security'] };
  assert.deepEqual(countApprovers(terms, [person('olga', 'owner')]), { granted: false, people: ['olga'], missing_roles: [] });
});

test('does not count the vote of a person who has left or lost the role', () => {
  const terms = { quorum: 1, approver_roles: ['approver'] };
  assert.equal(countApprovers(terms, [person('ann', null)]).granted, false);
  assert.equal(countApprovers(terms, [person('ann', 'viewer')]).granted, false);
});

test('grants nothing without a vote, under any terms', () => {
  assert.equal(countApprovers({ quorum: 0, approver_roles: [] }, []).granted, false);
});

test('requires as many of each role as each of two rules requests', () => {
  const terms = { quorum: 3, approver_roles: ['approver', 'security'], role_quorums: [3, 1] };
  const [ann, ben, cem, sue] = [person('ann', 'approver'), person('ben', 'approver'), person('cem', 'approver'), person('sue', 'security')];
  assert.deepEqual(countApprovers(terms, [ann, ben, sue]), { granted: false, people: ['ann', 'ben', 'sue'], missing_roles: ['approver'] });
  assert.deepEqual(countApprovers(terms, [ann, ben, cem]), { granted: false, people: ['ann', 'ben', 'cem'], missing_roles: ['security'] });
  assert.equal(countApprovers(terms, [ann, ben, cem, sue]).granted, true);
});

test('does not count the vote of a person whose role may no longer approve', () => {
  const role = { ...getBuiltInRole('approver'), built_in: true, permissions: ['approval:read'] };
  assert.equal(countApprovers({ quorum: 1, approver_roles: ['approver'] }, [{ user_id: 'ann', role }]).granted, false);
});
