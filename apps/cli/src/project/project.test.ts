import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { openSvc, type Svc, type SvcOptions, type SvcRun } from '@svc/testing/processes/open-svc.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const at = createScene({ steppedUp: true });
let svc: Svc;
before(() => {
  svc = openSvc();
});
after(() => svc.remove());

const project = (): string => join(svc.folder, 'hello');
const run = (args: readonly string[], options: SvcOptions = {}): Promise<SvcRun> =>
  svc.run(args, { ...options, env: { SVC_URL: at.planes.controlUrl, SVC_TOKEN: at.tenant.token, ...options.env } });
const agent = (...words: readonly string[]) => promisify(execFile)(process.execPath, ['agent.mjs', ...words], { cwd: project() });

test('init writes an agent that runs once its policy is applied', async () => {
  const made = await run(['init', 'hello', '--json']);
  assert.equal(made.code, 0, made.stderr);
  assert.equal(statSync(made.json.key_file).mode & 0o777, 0o600);
  assert.ok(!readFileSync(join(project(), 'agent.mjs'), 'utf8').includes('PRIVATE KEY'));
  await run(['deploy', 'Production', 'enforce', '--yes'], { cwd: project() });
  await assert.rejects(agent('Ada'), /BLOCKED|Blocked/);
  const applied = await run(['policies', 'apply', '--yes', '--reason', 'First policy.'], { cwd: project() });
  assert.equal(applied.code, 0, applied.stderr);
  assert.equal((await agent('Ada')).stdout, 'Hello, Ada.\n');
  const why = await run(['why'], { cwd: project() });
  assert.match(why.stdout, /ALLOWED\s+hello.say/);
});

test('run requests an action with the key of the project, and exits by its decision', async () => {
  const allowed = await run(['run', 'hello.say', '--param', 'name=Ada', '--json'], { cwd: project() });
  assert.equal(allowed.json?.decision, 'ALLOW', allowed.stderr);
  const refused = await run(['run', 'no.such.tool'], { cwd: project() });
  assert.ok(refused.code !== 0);
  assert.equal(refused.stdout, '');
});
