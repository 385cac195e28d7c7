import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { newHandshakeTurns } from './handshake-turns.ts';

test('starts one handshake per event-loop tick, round-robin across organizations, and the first at once', async () => {
  const turns = newHandshakeTurns();
  const begun: string[] = [];
  for (const who of ['a1', 'a2', 'a3', 'b1', 'c1']) {
    const turn = turns.take(who.slice(0, 1));
    if (turn === undefined) begun.push(`${who} at once`);
    else void turn.then(() => begun.push(who));
  }
  assert.deepEqual(begun, ['a1 at once']);
  const counts: number[] = [];
  while (counts.length < 8) {
    await nextTurn();
    counts.push(begun.length);
  }
  assert.deepEqual(begun, ['a1 at once', 'a2', 'b1', 'c1', 'a3']);
  assert.ok(
    counts.every((count, n) => n === 0 || count - (counts[n - 1] ?? 0) <= 1),
    `${counts}`,
  );
  assert.equal(turns.take('a'), undefined, 'and again at once when all have begun');
});
