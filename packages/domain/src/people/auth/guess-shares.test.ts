import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessShares } from './guess-shares.ts';

test('both shares together are no more guesses than there are in all, and neither is none', () => {
  assert.deepEqual(guessShares(10), { strangers: 7, signedIn: 3 });
  for (let attemptsMax = 2; attemptsMax <= 1_000; attemptsMax += 1) {
    const { strangers, signedIn } = guessShares(attemptsMax);
    assert.equal(strangers + signedIn, attemptsMax);
    assert.ok(strangers >= 1 && signedIn >= 1);
  }
});
