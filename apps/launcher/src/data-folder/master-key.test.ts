import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, test } from 'node:test';
import { provideMasterKey } from './master-key.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-key-test-'));
after(() => rmSync(home, { recursive: true, force: true }));
const freshFolder = (): string => mkdtempSync(path.join(home, 'data-'));

describe('the master key of a data folder', () => {
  test('is 32 random bytes in a file for its owner only, created once and never changed', () => {
    const [first, second] = [freshFolder(), freshFolder()];
    const made = provideMasterKey(first, false);
    assert.ok('text' in made);
    assert.equal(Buffer.from(made.text, 'base64').length, 32);
    assert.equal(statSync(path.join(first, 'master.key')).mode & 0o777, 0o600);
    assert.deepEqual(provideMasterKey(first, true), made);
    assert.notDeepEqual(provideMasterKey(second, false), made);
    assert.deepEqual(readdirSync(first), ['master.key']);
  });

  test('is not created again next to a database that was sealed with the lost one', () => {
    const folder = freshFolder();
    const answer = provideMasterKey(folder, true);
    assert.ok('fault' in answer);
    assert.match(answer.fault, /is missing, .*: restore the file from a backup, or set SVC_MASTER_KEY/);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('is refused if others can read it or it is malformed, and the error never shows it', () => {
    const folder = freshFolder();
    provideMasterKey(folder, false);
    const file = path.join(folder, 'master.key');
    chmodSync(file, 0o644);
    const open = provideMasterKey(folder, true);
    assert.ok('fault' in open && open.fault.includes(`chmod 600 '${file}'`) && !open.fault.includes(readFileSync(file, 'utf8').trim()));
    chmodSync(file, 0o600);
    writeFileSync(file, 'half a k');
    const spoilt = provideMasterKey(folder, true);
    assert.ok('fault' in spoilt && !spoilt.fault.includes('half a k'));
  });

  test('is the same for concurrent starts', async () => {
    const folder = freshFolder();
    const script = `import { provideMasterKey } from ${JSON.stringify(import.meta.resolve('./master-key.ts'))};
      console.log('ready');
      process.stdin.once('data', () => console.log(JSON.stringify(provideMasterKey(${JSON.stringify(folder)}, false))));`;
    const starts = [1, 2, 3].map(() =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const lines = starts.map(({ stdout }) => createInterface({ input: stdout })[Symbol.asyncIterator]());
    const nextLines = () => Promise.all(lines.map(async (each) => String((await each.next()).value)));
    assert.deepEqual(
      await nextLines(),
      starts.map(() => 'ready'),
    );
    for (const { stdin } of starts) stdin.end('go');
    const answers = await nextLines();
    assert.equal(new Set(answers).size, 1);
    assert.deepEqual(JSON.parse(answers[0] ?? ''), provideMasterKey(folder, true));
  });
});
