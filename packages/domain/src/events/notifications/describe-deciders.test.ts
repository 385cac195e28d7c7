import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDeciders } from './describe-deciders.ts';

test('describes roles and named people with the required number', () => {
  for (const [role_names, people, quorum, told] of [
    [['approver'], [], 1, 'approver (1 needed)'],
    [['approver', 'security'], [], 3, 'approver and security (3 needed)'],
    [['owner'], ['usr_1'], 1, 'owner, or one listed person (1 needed)'],
    [['owner'], ['usr_1', 'usr_2'], 2, 'owner, or 2 listed people (2 needed)'],
    [[], ['usr_1'], 1, 'one listed person (1 needed)'],
  ] as const)
    assert.equal(describeDeciders({ role_names, people, quorum }), told);
});
