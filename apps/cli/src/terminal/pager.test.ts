import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openSvc, type Svc } from '@svc/testing/processes/open-svc.ts';

let svc: Svc;
before(() => {
  svc = openSvc();
});
after(() => svc.remove());

const paged = (): string => join(svc.folder, 'paged.txt');

/** Runs a command in a terminal of five lines, and returns the text of the terminal and that of the pager. */
const runInTerminal = (args: string, env: Readonly<Record<string, string>> = {}) => {
  rmSync(paged(), { force: true });
  const command = `stty rows 5 cols 200 && ${process.execPath} ${svc.program} ${args}`;
  const terminal = execFileSync('script', ['-qec', command, '/dev/null'], {
    cwd: svc.folder,
    env: { PATH: process.env.PATH, HOME: svc.folder, TERM: 'xterm', PAGER: 'tee paged.txt', SVC_TOKEN: 'svc_key_x', ...env },
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return { terminal, pager: existsSync(paged()) ? readFileSync(paged(), 'utf8') : undefined };
};

test('shows a result that is longer than the terminal in PAGER', () => {
  const { terminal, pager } = runInTerminal('completion bash');
  assert.match(pager ?? '', /^_svc\(\) \{\n[\s\S]*complete -F _svc svc\n$/);
  assert.match(terminal, /complete -F _svc svc/);
});

test('prints a short result without a pager, and a long one with --no-pager, with an empty PAGER and without questions', () => {
  assert.equal(runInTerminal('config path').pager, undefined);
  for (const [args, env] of [
    ['completion bash --no-pager', {}],
    ['completion bash', { PAGER: '' }],
    ['completion bash', { SVC_NO_INPUT: '1' }],
    ['completion bash', { TERM: 'dumb' }],
  ] as const) {
    const { terminal, pager } = runInTerminal(args, env);
    assert.deepEqual([pager, /complete -F _svc svc/.test(terminal)], [undefined, true], `${args} ${JSON.stringify(env)}`);
  }
});

test('prints the result where the pager is not installed, and gives a pager no credential', () => {
  assert.match(runInTerminal('completion bash', { PAGER: 'no-such-pager' }).terminal, /complete -F _svc svc/);
  assert.doesNotMatch(runInTerminal('completion bash', { PAGER: 'env > paged.txt' }).pager ?? 'none', /SVC_TOKEN|none/);
});
