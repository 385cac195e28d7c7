import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { readFile } from './read-file.ts';

const { arrivingBytesPerSecondMin, arrivingMs, arrivingWaitMs } = LIMITS.toolImports;

/** Returns the result of a file that arrives at so many bytes per half second, for ten seconds by default. */
const sent = async (bytes: number, mock: { readonly timers: { readonly tick: (ms: number) => void } }, forHalves = 20) => {
  const arriving = new PassThrough({ highWaterMark: 2_000_000 });
  let outcome: Awaited<ReturnType<typeof readFile>> | undefined;
  void readFile(arriving).then((result) => {
    outcome = result;
  });
  let halves = 0;
  for (; halves < forHalves && outcome === undefined; halves += 1) {
    if (bytes > 0) arriving.write(Buffer.alloc(bytes));
    await new Promise(setImmediate);
    mock.timers.tick(500);
    await new Promise(setImmediate);
  }
  arriving.end();
  await new Promise(setImmediate);
  return { outcome, halves };
};

test('a file that arrives too slowly is given up after a few seconds, with the remedy, and one at the minimum rate is read', async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setInterval'] });
  for (const bytes of [0, 1, arrivingBytesPerSecondMin / 2 - 1]) {
    const { outcome, halves } = await sent(bytes, mock);
    assert.ok(outcome && isRefusal(outcome) && halves <= 6, `${bytes}: ${halves}`);
    assert.match(JSON.stringify(outcome.details), /64 KiB in a second.*Pack it/);
  }
  const { outcome, halves } = await sent(arrivingBytesPerSecondMin / 2, mock);
  assert.ok(outcome && !isRefusal(outcome) && halves === 20);
});

test('a file at the minimum rate holds its slot for less time than others wait for it', async ({ mock }) => {
  mock.timers.enable({ apis: ['setInterval'] });
  const { outcome, halves } = await sent(arrivingBytesPerSecondMin, mock, 100);
  assert.ok(outcome && isRefusal(outcome));
  assert.match(JSON.stringify(outcome.details), /takes more than 12 seconds.*Pack it/);
  assert.ok(halves * 500 > arrivingMs && halves * 500 < arrivingWaitMs, `${halves}`);
});

test('a file with an aborted connection is reported as not received', async () => {
  const arriving = new PassThrough();
  const reading = readFile(arriving);
  arriving.write('{');
  arriving.destroy(new Error('gone'));
  assert.match(JSON.stringify(await reading), /did not arrive as a whole/);
  assert.match(JSON.stringify(await readFile(arriving)), /did not arrive as a whole/);
});
