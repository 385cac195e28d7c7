import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BuiltInRoleName, builtInRole } from '@svc/contract/tables/built-in-roles.ts';
import { type Approver, countApprovers } from './quorum.ts';

const person = (user_id: string, role: BuiltInRoleName | null): Approver => ({
  user_id,
  role: role && { ...builtInRole(role), built_in: true },
});

test('one approver grants what asks for one', () => {
  assert.equal(countApprovers({ quorum: 1, approver_roles: ['approver'] }, [person('ann', 'approver')]).granted, true);
});

test('the quorum counts different people: the same person twice is one', () => {
  const terms = { quorum: 2, approver_roles: ['approver'] };
  const ann = person('ann', 'approver');
  assert.deepEqual(countApprovers(terms, [ann, ann]), { granted: false, people: ['ann'], missing_roles: ['approver'] });
  assert.equal(countApprovers(terms, [ann, person('ben', 'approver')]).granted, true);
});

test('every role asked for has to be among those who approve', () => {
  const terms = { quorum: 2, approver_roles: ['approver', 'security'] };
  assert.deepEqual(countApprovers(terms, [person('ann', 'approver'), person('ben', 'approver')]), {
    granted: false,
    people: ['ann', 'ben'],
    missing_roles: ['security'],
  });
  assert.equal(countApprovers(terms, [person('ann', 'approver'), person('cleo', 'security')]).granted, true);
});

test('an owner stands for every role, and still is one person', () => {
  const terms = { quorum: 2, approver_roles: ['approver', 'security'] };
  assert.deepEqual(countApprovers(terms, [person('olga', 'owner')]), { granted: false, people: ['olga'], missing_roles: [] });
});

test('the vote of a person who has left or lost the role does not count', () => {
  const terms = { quorum: 1, approver_roles: ['approver'] };
  assert.equal(countApprovers(terms, [person('ann', null)]).granted, false);
  assert.equal(countApprovers(terms, [person('ann', 'viewer')]).granted, false);
});

test('nothing is granted by nobody, whatever the terms say', () => {
  assert.equal(countApprovers({ quorum: 0, approver_roles: [] }, []).granted, false);
});

test('where two rules ask at once, each gets as many of its own role as it asked for', () => {
  const terms = { quorum: 3, approver_roles: ['approver', 'security'], role_quorums: [3, 1] };
  const [ann, ben, cem, sue] = [person('ann', 'approver'), person('ben', 'approver'), person('cem', 'approver'), person('sue', 'security')];
  assert.deepEqual(countApprovers(terms, [ann, ben, sue]), { granted: false, people: ['ann', 'ben', 'sue'], missing_roles: ['approver'] });
  assert.deepEqual(countApprovers(terms, [ann, ben, cem]), { granted: false, people: ['ann', 'ben', 'cem'], missing_roles: ['security'] });
  assert.equal(countApprovers(terms, [ann, ben, cem, sue]).granted, true);
});

test('the vote of a person whose role may approve no longer does not count', () => {
  const role = { ...builtInRole('approver'), built_in: true, permissions: ['approval:read'] };
  assert.equal(countApprovers({ quorum: 1, approver_roles: ['approver'] }, [{ user_id: 'ann', role }]).granted, false);
});
