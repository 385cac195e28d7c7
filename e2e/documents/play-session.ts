import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SERVER_KINDS } from '@svc/testing/database/managed-server.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { getPersonsEnvironment } from '@svc/testing/processes/launch-service.ts';
import { openFolder } from './open-folder.ts';
import { openShell } from './open-shell.ts';
import { playDocuments } from './play-documents.ts';

export const root = path.resolve(import.meta.dirname, '../..');
export const readDocument = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const guides = (...names: readonly string[]): string[] => names.map((name) => `docs/guides/${name}.md`);

/** Documents whose commands one reader types into one terminal in order; each group of readers is a test file of its own. */
export const SESSIONS = {
  first: [['README.md', 'CONTRIBUTING.md']],
  operating: [['docs/operating/running.md'], ['docs/operating/monitoring.md']],
  governing: [guides('first-governed-tool', 'govern-a-function', 'agent-frameworks', 'authzen', 'bring-under-governance')],
  python: [guides('first-governed-tool', 'govern-a-function', 'govern-a-python-agent')],
  agents: [
    // Each guide comes after those that it builds on.
    guides(
      'first-governed-tool',
      'write-a-policy',
      'approvals',
      'notifications',
      'members-and-roles',
      'delegations',
      'limits-and-masks',
      'invariants',
      'money',
    ),
  ],
  tools: [
    guides('first-governed-tool', 'limits-and-masks', 'import-tools', 'audit-record', 'change-a-tool', 'fleet', 'calls-of-tools'),
    guides('first-governed-tool', 'mcp'),
    guides('first-governed-tool', 'mcp-configuration'),
    guides('first-governed-tool', 'a2a'),
    guides('first-governed-tool', 'verify-delegations', 'proxied-requests'),
    guides('first-governed-tool', 'integrations', 'code-assist'),
  ],
  events: [
    guides('first-governed-tool', 'delegations', 'live-events', 'compliance-report', 'invariants', 'sign-up-and-mail', 'credentials'),
  ],
  people: [
    guides('first-governed-tool', 'single-sign-on', 'credentials-with-oauth', 'organization', 'passwords-and-sessions'),
    // The end of it ends the session of the terminal.
    guides('first-governed-tool', 'webhooks', 'second-factors', 'command-line-sign-in'),
    guides('first-governed-tool', 'risk', 'incidents', 'trust'),
    guides('first-governed-tool', 'flow-rules'),
  ],
} as const satisfies Record<string, readonly (readonly string[])[]>;

export const formatSessionTitle = (files: readonly string[]): string =>
  `what ${files.join(', ')} say works as typed, and prints what is shown`;

export const playSession = async (files: readonly string[]): Promise<void> => {
  const { folder, remove } = openFolder();
  const ports = await Promise.all(Array.from({ length: 8 }, freePort));
  const [control, gateway, secondGateway, controlMetrics, gatewayMetrics, workerMetrics, receiver, mcpServer] = ports.map(String);
  const server = files.some((file) => readDocument(file).includes('db.example')) ? await SERVER_KINDS[0]?.start() : undefined;
  const [database, other] = [await server?.newDatabase(), await server?.newDatabase()];
  const shell = openShell(
    folder,
    getPersonsEnvironment({
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
    ['127.0.0.1:9465', `127.0.0.1:${workerMetrics}`],
    ['listen(8080)', `listen(${receiver})`],
    ['127.0.0.1:8080', `127.0.0.1:${receiver}`],
    ['listen(8090', `listen(${mcpServer}`],
    ['127.0.0.1:8090', `127.0.0.1:${mcpServer}`],
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
