import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runExclusively } from './alone.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-alone-'));
after(() => rmSync(home, { recursive: true, force: true }));

const within = async (ms: number, work: Promise<void>): Promise<string> =>
  Promise.race([work.then(() => 'done'), sleep(ms, 'still waiting', { ref: false })]);

describe('exclusive work', () => {
  it('waits while another process does it, without a limit', async () => {
    const lock = path.join(home, 'shared');
    const order: string[] = [];
    const first = runExclusively(lock, async () => {
      await sleep(50);
      // Looks like a lock of a long-running process.
      utimesSync(lock, new Date(0), new Date(0));
      await sleep(1_500);
      order.push('first');
    });
    await sleep(800);
    const second = runExclusively(lock, async () => void order.push('second'));
    await Promise.all([first, second]);
    assert.deepEqual(order, ['first', 'second']);
    assert.ok(!existsSync(lock));
  });

  it('is not delayed for minutes by a process that was stopped in the middle', async () => {
    const lock = path.join(home, 'left');
    mkdirSync(lock);
    const before = new Date(Date.now() - 6_000);
    utimesSync(lock, before, before);
    assert.equal(
      await within(
        1_000,
        runExclusively(lock, async () => {}),
      ),
      'done',
    );
  });

  it('fails at once if nothing can be written, instead of waiting for a lock that no process holds', async () => {
    const told = runExclusively(path.join(home, 'n'.repeat(300)), async () => {}).catch((error: NodeJS.ErrnoException) => {
      assert.equal(error.code, 'ENAMETOOLONG');
    });
    assert.equal(await within(1_000, told), 'done');
  });
});
