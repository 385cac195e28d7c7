import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { SETTINGS } from '@svc/contract/tables/limits.ts';

/**
 * npm test [part of a path ...] [--option-of-the-runner ...]
 * Runs every test of the project, or those whose path holds one of the parts. The exit code is the runner's.
 */
const root = resolve(import.meta.dirname, '..');
const globalSetup = 'packages/testing/src/global-setup.ts';

const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const parts = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));

const files = globSync('{packages,apps,tools,e2e}/**/*.test.ts', { cwd: root, exclude: (name) => name === 'node_modules' })
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .sort();

if (files.length === 0) {
  console.error(parts.length === 0 ? 'There are no tests.' : `No test file has ${parts.join(' or ')} in its path.`);
  process.exit(1);
}

/** A setting of the person's own shell, such as a database, must never be what the tests write to. */
const environment: NodeJS.ProcessEnv = { ...process.env, NODE_COMPILE_CACHE: join(root, '.cache', 'node') };
for (const setting of Object.values(SETTINGS)) delete environment[setting];

const runner = spawn(
  process.execPath,
  [
    '--test',
    // A test that hangs is a failure that says so, not a run without an end.
    '--test-timeout=300000',
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    ...(existsSync(join(root, globalSetup)) ? [`--test-global-setup=${globalSetup}`] : []),
    ...options,
    ...files,
  ],
  { cwd: root, env: environment, stdio: 'inherit' },
);

/** A terminal interrupts the runner by itself; a second interrupt would end it before it has cleaned up. */
const interrupt = (): boolean => process.stdin.isTTY || runner.kill('SIGINT');
process.on('SIGINT', interrupt);
process.on('SIGTERM', () => runner.kill('SIGTERM'));
runner.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 130);
});
