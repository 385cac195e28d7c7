import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const TESTS = "import { test } from 'node:test';\ntest('passes', () => {});\n";

/** Returns the failed files of a run of one passing test file after a set-up. */
const runWithSetUp = async (setUp: string): Promise<unknown> => {
  const root = mkdtempSync(join(tmpdir(), 'run-in-order-'));
  try {
    const [file, globalSetup, program] = ['some.test.mjs', 'set-up.mjs', 'program.mjs'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(file, TESTS);
    writeFileSync(globalSetup, `export const globalSetup = async () => { ${setUp} };\n`);
    const order = { root, files: [file], globalSetup, concurrency: 1, timeoutMs: 10_000, fileTimeoutMs: 20_000 };
    const module = JSON.stringify(join(import.meta.dirname, 'run-in-order.ts'));
    writeFileSync(
      program,
      `import { runInOrder } from ${module};
const { failed } = await runInOrder(${JSON.stringify(order)}, new AbortController().signal);
console.log('failed ' + JSON.stringify(failed));`,
    );
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
    return JSON.parse(/^failed (.*)$/m.exec(stdout)?.[1] ?? 'null');
  } finally {
    rmSync(root, { recursive: true });
  }
};

test('a run passes after its set-up', async () => assert.deepEqual(await runWithSetUp(''), []));

test('a run whose set-up never ends fails', async () => {
  assert.deepEqual(await runWithSetUp('await new Promise(() => {});'), [{ file: 'some.test.mjs', tests: [] }]);
});
