import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { getPersonsEnvironment } from '@svc/testing/processes/launch-service.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const home = mkdtempSync(path.join(tmpdir(), 'svc-commands-'));
after(() => rmSync(home, { recursive: true, force: true }));
const dataDir = path.join(home, 'data');

/** With a database URL that would be printed or connected to if anything ran. */
const env = getPersonsEnvironment({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://owner:hunter2@127.0.0.1:1/governance' });

const run = (file: string, ...words: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root, file), ...words], { cwd: root, env, encoding: 'utf8' });
  return { status, stdout, stderr };
};

const launcher = (name: string): string => `apps/launcher/src/${name}.ts`;
const { scripts: SCRIPTS } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
/** These take other arguments, or are controlled by settings only. */
const OTHERS = ['start', 'test', 'test:long', 'worker'];
const GROUPS = ['ops', 'e2e', 'bench', 'generate'];
const SINGLE = Object.entries(SCRIPTS).flatMap(([name, script]) => {
  const [, file] = / node (\S+\.ts)$/.exec(script) ?? [];
  return file === undefined || OTHERS.includes(name) ? [] : [[name, file] as const];
});
/** Commands in the help text of a group, each with its file and arguments. */
const COMMANDS = SINGLE.flatMap(([script, file]) => [
  { name: script, file, words: [] as string[] },
  ...(GROUPS.includes(script) ? [...run(file, '--help').stdout.matchAll(/^ {4}npm run \w+ -- (\S+) /gm)] : []).map(([, name = '']) => ({
    name: `${script} -- ${name}`,
    file,
    words: [name],
  })),
]);

test('all scripts have a help text', () => {
  assert.ok(COMMANDS.length >= 30, COMMANDS.map(({ name }) => name).join(', '));
  assert.ok(Object.keys(SCRIPTS).length <= 18, Object.keys(SCRIPTS).join(', '));
});

for (const { name, file, words } of COMMANDS) {
  test(`${name} prints its help on request, and does nothing for an unknown word`, () => {
    const help = run(file, ...words, '--help');
    assert.deepEqual([help.status, help.stderr], [0, ''], help.stderr);
    assert.match(help.stdout, new RegExp(`npm run (-s )?${name}`));
    const nonsense = run(file, ...words, '--nonsense');
    assert.deepEqual([nonsense.status, nonsense.stdout], [2, ''], nonsense.stdout);
    assert.match(nonsense.stderr, new RegExp(`npm run (-s )?${name}`));
    for (const text of [help.stdout, nonsense.stderr]) assert.doesNotMatch(text, /hunter2|127\.0\.0\.1/);
    assert.equal(existsSync(dataDir), false);
  });
}

for (const [script, file] of SINGLE.filter(([name]) => GROUPS.includes(name)))
  test(`${script} lists its commands if the given one is unknown`, () => {
    for (const word of ['frob', 'constructor', '__proto__']) {
      const { status, stdout, stderr } = run(file, word, '--force');
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, new RegExp(`^Unknown command ${word}\\. Commands: \\S.+ and \\S+\\.\\n`));
    }
  });

test('an operator command with an unknown argument lists the known ones, before any other fault', () => {
  for (const words of [['frob'], ['frob', 'ada@example.com', 'more'], ['frob', '--force']]) {
    const { status, stderr } = run(launcher('admin'), ...words);
    assert.equal(status, 2);
    assert.match(
      stderr,
      /^Unknown command frob\. Commands: owners, reset-password, remove-second-factors, lift-networks, audit-logs, lift-audit-log, master-keys and rewrap\.\n/,
    );
  }
});

test('prints the address of the database by default', () => {
  assert.deepEqual(run(launcher('database-url')), { status: 0, stdout: 'postgres://owner:hunter2@127.0.0.1:1/governance\n', stderr: '' });
});

test('a script accepts a folder for compiled code with a space in its name', () => {
  const compiled = path.join(home, 'kept for later');
  for (const [name, script] of Object.entries(SCRIPTS)) assert.doesNotMatch(script, /=\$\{/, name);
  const start = SCRIPTS.start?.replace(/^.* && /, '') ?? '';
  const told = spawnSync('sh', ['-c', `${start} --version`], {
    cwd: root,
    env: { ...env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, NODE_COMPILE_CACHE: compiled },
    encoding: 'utf8',
  });
  assert.match(told.stdout, /^\d+\.\d+\.\d+\n$/, told.stderr);
  assert.ok(existsSync(compiled));
});
