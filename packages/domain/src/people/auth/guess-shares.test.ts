import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessShares } from './guess-shares.ts';

test('keeps both shares within the total and above zero, and leaves one guess to the sessions next to a known browser', () => {
  assert.deepEqual(guessShares(10), { strangers: 7, signedIn: 3, knownBrowser: 2 });
  for (let attemptsMax = 2; attemptsMax <= 1_000; attemptsMax += 1) {
    const { strangers, signedIn, knownBrowser } = guessShares(attemptsMax);
    assert.equal(strangers + signedIn, attemptsMax);
    assert.ok(strangers >= 1 && signedIn >= 1 && knownBrowser >= 1);
    assert.ok(knownBrowser < signedIn || signedIn === 1, String(attemptsMax));
  }
});
