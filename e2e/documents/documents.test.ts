import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { SERVER_KINDS } from '@svc/testing/database/managed-server.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { personsEnvironment } from '@svc/testing/processes/launch-service.ts';
import { openFolder } from './open-folder.ts';
import { openShell } from './open-shell.ts';
import { namedScripts, playDocuments } from './play-documents.ts';
import { readBlocks } from './read-blocks.ts';

const root = path.resolve(import.meta.dirname, '../..');
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Documents whose commands one reader types into one terminal, one document after the other. */
const SESSIONS = [
  ['README.md', 'CONTRIBUTING.md'],
  // All guides in the order of the README.
  ['first-governed-tool', 'write-a-policy', 'approvals', 'members-and-roles', 'delegations', 'limits-and-masks', 'invariants', 'money'].map(
    (name) => `docs/guides/${name}.md`,
  ),
  ['docs/guides/first-governed-tool.md', 'docs/guides/limits-and-masks.md'],
  ['docs/guides/first-governed-tool.md', 'docs/guides/delegations.md'],
  ['docs/guides/first-governed-tool.md', 'docs/guides/invariants.md', 'docs/guides/sign-up-and-mail.md'],
  ['docs/guides/first-governed-tool.md', 'docs/guides/command-line-sign-in.md'],
  ['docs/guides/first-governed-tool.md', 'docs/guides/organization.md', 'docs/guides/passwords-and-sessions.md'],
  ['docs/guides/first-governed-tool.md', 'docs/guides/single-sign-on.md'],
  ['docs/guides/first-governed-tool.md', 'docs/guides/second-factors.md'],
  ['docs/operating/running.md'],
  ['docs/operating/monitoring.md'],
];

/** The published package is installed elsewhere; its own tests install it and run its examples. */
const PROVEN_ELSEWHERE = ['packages/sdk/README.md'];

const documents = globSync('{*.md,docs/**/*.md,packages/*/*.md,apps/*/*.md}', { cwd: root }).sort();

const playSession = async (files: readonly string[]): Promise<void> => {
  const { folder, remove } = openFolder();
  const ports = await Promise.all(Array.from({ length: 5 }, freePort));
  const [control, gateway, secondGateway, controlMetrics, gatewayMetrics] = ports.map(String);
  const server = files.some((file) => textOf(file).includes('db.example')) ? await SERVER_KINDS[0]?.start() : undefined;
  const [database, other] = [await server?.newDatabase(), await server?.newDatabase()];
  const shell = openShell(
    folder,
    personsEnvironment({
      DATA_DIR: path.join(folder, '.data'),
      CONTROL_PLANE_PORT: control ?? '',
      GATEWAY_PORT: gateway ?? '',
      npm_config_update_notifier: 'false',
    }),
  );
  const instead = new Map([
    ['127.0.0.1:4000', `127.0.0.1:${control}`],
    ['127.0.0.1:4100', `127.0.0.1:${gateway}`],
    ['127.0.0.1:4101', `127.0.0.1:${secondGateway}`],
    ['127.0.0.1:9463', `127.0.0.1:${controlMetrics}`],
    ['127.0.0.1:9464', `127.0.0.1:${gatewayMetrics}`],
    ['GATEWAY_PORT=4101', `GATEWAY_PORT=${secondGateway}`],
    ['postgres://owner:secret@db.example:5432/governance', database?.url ?? ''],
    ['postgres://owner:secret@db-new.example:5432/governance', other?.url ?? ''],
  ]);
  try {
    await playDocuments({ shell, folder, instead }, files);
  } finally {
    await shell.close();
    await server?.remove();
    remove();
  }
};

describe('the documents', () => {
  for (const files of SESSIONS) {
    test(`what ${files.join(', ')} say works as typed, and prints what is shown`, () => playSession(files));
  }

  test('show no command that is not run here or elsewhere', () => {
    const withCommands = documents.filter((file) => readBlocks(textOf(file)).some(({ kind }) => kind === 'sh'));
    assert.deepEqual(withCommands, [...new Set([...SESSIONS.flat(), ...PROVEN_ELSEWHERE])].sort());
  });

  test('name only scripts of the project that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = documents.flatMap((file) => namedScripts(textOf(file)).map((name) => `${file}: ${name}`));
    assert.ok(named.length > 10);
    const elsewhere = new Set(['build']);
    assert.deepEqual(
      named.filter((each) => !Object.hasOwn(scripts, each.split(': ')[1] ?? '') && !elsewhere.has(each.split(': ')[1] ?? '')),
      [],
    );
  });
});
