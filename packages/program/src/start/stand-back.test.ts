import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';

const STAND_BACK = new URL('./stand-back.ts', import.meta.url).href;
const TOLD = `
  import { readdirSync, readFileSync, existsSync } from 'node:fs';
  import { lowerProcessPriority } from ${JSON.stringify(STAND_BACK)};
  const niceness = () => readdirSync('/proc/self/task').map((thread) =>
    Number(readFileSync('/proc/self/task/' + thread + '/stat', 'latin1').replace(/^.*\\) /s, '').split(' ')[16]));
  const group = () => existsSync('/proc/self/autogroup') ? Number(readFileSync('/proc/self/autogroup', 'latin1').split(' ')[2]) : 0;
  const before = { niceness: niceness(), group: group() };
  lowerProcessPriority();
  console.log(JSON.stringify({ before, after: { niceness: niceness(), group: group() } }));`;

type Stand = { readonly niceness: readonly number[]; readonly group: number };

/** Returns the niceness of a process's threads and session, before and after lowering its priority. */
const stand = async (detached: boolean): Promise<{ readonly before: Stand; readonly after: Stand }> => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', TOLD], { detached, stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse((await buffer(child.stdout)).toString());
};

const skip = process.platform !== 'linux' && 'only Linux tells it';

test('lowers the priority of every thread and of the session that the process leads', { skip }, async () => {
  const { before, after } = await stand(true);
  assert.ok(before.niceness.length > 1, 'it has one thread only, so this proves little');
  assert.ok(
    before.niceness.every((niceness) => niceness < 10),
    'it was nice before',
  );
  assert.deepEqual(new Set(after.niceness), new Set([10]));
  assert.equal(after.group, existsSync('/proc/self/autogroup') ? 10 : 0);
});

test('leaves a session with other processes unchanged', { skip }, async () => {
  const { before, after } = await stand(false);
  assert.deepEqual(new Set(after.niceness), new Set([10]));
  assert.equal(after.group, before.group);
});
