import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule, PolicyTestCase } from '@svc/contract/policies/language.ts';
import { diffVersions } from './diff-versions.ts';

const rule = (id: string, more: Partial<PolicyRule> = {}): PolicyRule => ({ id, effect: 'BLOCK', reason: 'No.', ...more });
const testCase = (name: string, effect: PolicyRule['effect']): PolicyTestCase => ({ name, given: {}, then: { effect } });

test('matches rules by id and tests by name, and separates added, removed and changed ones', () => {
  const diff = diffVersions(
    { rules: [rule('gone'), rule('kept'), rule('edited')], tests: [testCase('a', 'BLOCK')] },
    { rules: [rule('new'), rule('edited', { reason: 'Never.' }), rule('kept')], tests: [testCase('a', 'ALLOW'), testCase('b', 'BLOCK')] },
  );
  assert.deepEqual(diff, {
    rules: {
      added: [rule('new')],
      removed: [rule('gone')],
      changed: [{ id: 'edited', patch: [{ op: 'replace', path: '/reason', value: 'Never.' }] }],
    },
    tests: {
      added: [testCase('b', 'BLOCK')],
      removed: [],
      changed: [{ id: 'a', patch: [{ op: 'replace', path: '/then/effect', value: 'ALLOW' }] }],
    },
  });
});

test('finds no difference of a version to itself, or in the order of its rules', () => {
  const body = { rules: [rule('a'), rule('b')], tests: [testCase('one', 'BLOCK')] };
  const none = { added: [], removed: [], changed: [] };
  assert.deepEqual(diffVersions(body, { ...body, rules: body.rules.toReversed() }), { rules: none, tests: none });
});

test('treats an inherited name like any other id', () => {
  const diff = diffVersions({ rules: [rule('constructor')], tests: [] }, { rules: [rule('toString')], tests: [] });
  assert.deepEqual([diff.rules.added[0]?.id, diff.rules.removed[0]?.id], ['toString', 'constructor']);
});
