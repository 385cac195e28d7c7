import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const LOGGER = new URL('./new-logger.ts', import.meta.url).href;
const LINES = 3_000;
const ENDS_WITHIN_MS = 60_000;

/** Returns a script that logs, writes on its standard output that it still runs, and ends as `end` says. */
const getScript = (end: string): string => `
  const { newLogger, openLog } = await import(${JSON.stringify(LOGGER)});
  const log = newLogger('test', 'info', openLog({ file: undefined, fileBytesMax: 1, filesMax: 1 }));
  for (let line = 0; line < ${LINES}; line += 1) {
    log.info({ line, text: 'Grüße 支払い 🙂'.repeat(4) });
    if (line % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await new Promise((resolve) => setTimeout(resolve, 600));
  log.info({ line: ${LINES}, text: 'last' });
  process.stdout.write('still here');
  ${end}`;

const run = async (end: string, stderr: number | 'pipe') => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', getScript(end)], {
    stdio: ['ignore', 'pipe', stderr],
    timeout: ENDS_WITHIN_MS,
  });
  child.stderr?.destroy();
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  const [code, signal] = await once(child, 'close');
  return { said, code, signal };
};

for (const [how, end, code] of [
  ['returns', '', 0],
  ['exits', 'process.exit(3);', 3],
  ['fails', "throw new Error('unforeseen');", 1],
] as const) {
  test(`writes every line, whole and in order, when the process ${how}`, async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'svc-lines-')), 'log');
    const descriptor = openSync(file, 'a');
    assert.deepEqual(await run(end, descriptor), { said: 'still here', code, signal: null });
    closeSync(descriptor);
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ line }) => line),
      Array.from({ length: LINES + 1 }, (_, index) => index),
    );
    assert.equal(lines[0].text, 'Grüße 支払い 🙂'.repeat(4));
  });
}

test('without a reader continues and exits', async () => {
  assert.deepEqual(await run('', 'pipe'), { said: 'still here', code: 0, signal: null });
});

test('on a full disk continues and exits', { skip: !existsSync('/dev/full') }, async () => {
  const full = openSync('/dev/full', 'w');
  assert.deepEqual(await run('', full), { said: 'still here', code: 0, signal: null });
  closeSync(full);
});
