import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { answerReady, describeMissing, newReadiness } from './readiness.ts';

const BOUNDS = { checkMs: 50, keptMs: 150 };

const newLog = () => {
  const lines: { readonly level: number; readonly part: string; readonly msg: string }[] = [];
  return { lines, log: pino({}, { write: (line) => void lines.push(JSON.parse(line)) }) };
};

test('a hundred concurrent and sequential requests within the cache time cause one check', async () => {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    await sleep(5);
  };
  const readiness = newReadiness({ database: ask }, newLog().log, BOUNDS);
  await Promise.all(Array.from({ length: 100 }, readiness.look));
  assert.deepEqual(await readiness.look(), { database: 'ok' });
  assert.equal(asked, 1);
  await sleep(BOUNDS.keptMs + 20);
  await readiness.look();
  assert.equal(asked, 2);
});

test('a hanging part is reported as unavailable in limited time, and is not checked again while it hangs', async () => {
  let asked = 0;
  const hangs = () => {
    asked += 1;
    return new Promise<never>(() => {});
  };
  const readiness = newReadiness({ database: async () => true, redis: hangs }, newLog().log, BOUNDS);
  for (let round = 0; round < 3; round += 1) {
    const startedAt = performance.now();
    assert.deepEqual(await readiness.look(), { database: 'ok', redis: 'unavailable' });
    assert.ok(performance.now() - startedAt < 30_000);
    await sleep(BOUNDS.keptMs + 20);
  }
  assert.equal(asked, 1);
});

const SURE = { measure: async () => undefined, refusal: () => undefined };

test('a part that fails and recovers is logged once each time, and named in the response', async () => {
  const { lines, log } = newLog();
  let works = false;
  const readiness = newReadiness({ database: async () => true, redis: async () => assert.ok(works) }, log, { checkMs: 50, keptMs: 0 });
  for (let round = 0; round < 3; round += 1) {
    assert.deepEqual(await answerReady(readiness, SURE), {
      refused: 'DEPENDENCY_UNAVAILABLE',
      message: 'Redis does not respond.',
      details: { checks: { database: 'ok', redis: 'unavailable' } },
    });
  }
  assert.match(
    describeMissing(await readiness.look()).join(),
    /^Redis does not respond: check that it is running and that REDIS_URL is its address\. .*\.$/,
  );
  works = true;
  for (let round = 0; round < 3; round += 1)
    assert.deepEqual(await answerReady(readiness, SURE), { status: 'ok', checks: { database: 'ok', redis: 'ok', clock: 'ok' } });
  assert.deepEqual(
    lines.map(({ level, part, msg }) => [level, part, msg]),
    [
      [50, 'redis', 'Redis does not respond.'],
      [30, 'redis', 'Redis responds again.'],
    ],
  );
  assert.deepEqual(describeMissing(await readiness.look()), []);
});
