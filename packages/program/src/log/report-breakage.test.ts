import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const here = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);

const run = (end: string) => {
  const script = `
    const { newLogger, openLog } = await import(${here('./new-logger.ts')});
    const { reportBreakage } = await import(${here('./report-breakage.ts')});
    reportBreakage(newLogger('test', 'info', openLog({ file: undefined, fileBytesMax: 1, filesMax: 1 })));
    process.emitWarning('an odd thing');
    await new Promise((resolve) => setTimeout(resolve, 20));
    ${end}`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return {
    status,
    lines: stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
};

for (const [what, end] of [
  ['an error that nobody caught', "setTimeout(() => { throw new TypeError('unforeseen'); }, 10);"],
  ['a promise that nobody waited for', "void Promise.reject(new TypeError('unforeseen'));"],
] as const) {
  test(`logs a warning and ${what} as lines, and exits as by default`, () => {
    const { status, lines } = run(end);
    assert.equal(status, 1);
    assert.deepEqual(
      lines.map(({ level, plane, err }) => [level, plane, err.type, err.message]),
      [
        [40, 'test', 'Warning', 'an odd thing'],
        [60, 'test', 'TypeError', 'unforeseen'],
      ],
    );
    assert.match(lines[1].err.stack, /^TypeError: unforeseen\n {4}at /);
  });
}
