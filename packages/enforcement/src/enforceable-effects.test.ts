import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policy-language.ts';
import { EFFECTS } from '@svc/contract/vocabulary.ts';
import { enforceableFaults, isEnforceable } from './enforceable-effects.ts';

const rule = (effect: PolicyRule['effect']): PolicyRule => ({ id: effect.toLowerCase(), effect, reason: 'A reason.' });

test('a rule whose mask or limit nobody would carry out is a fault at its effect', () => {
  const faults = enforceableFaults({ rules: [rule('ALLOW'), rule('MASK'), rule('BLOCK'), rule('LIMIT')] });
  assert.deepEqual(
    faults.map((fault) => fault.pointer),
    ['/rules/1/effect', '/rules/3/effect'],
  );
  assert.match(faults[0]?.message ?? '', /not carried out yet/);
});

test('every other effect is accepted', () => {
  assert.deepEqual(EFFECTS.filter(isEnforceable), ['ALLOW', 'REQUIRE_APPROVAL', 'BLOCK']);
  assert.deepEqual(enforceableFaults({ rules: EFFECTS.filter(isEnforceable).map(rule) }), []);
});
