import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { loadAll } from 'js-yaml';
import { digestText } from '../../digest/digest.ts';
import { hookRefusal } from './allowed-nodes.ts';
import { hookFile, hookFileHash } from './hook-file.ts';
import { type BundleTerms, leverValues, managedBundle } from './managed-bundle.ts';
import { nodePackageDigest } from './node-package.ts';
import { type ReceivedHeartbeat, readHeartbeats } from './read-heartbeats.ts';

const TERMS: BundleTerms = {
  gatewayUrl: 'https://gateway.service.example',
  controlUrl: 'https://console.service.example',
  runtimeId: 'rtm_00000000000000000000000000',
  agentId: 'agt_00000000000000000000000000',
  settings: {},
};
const NOW = new Date('2026-01-01T00:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - 1_000 * seconds).toISOString();

const levers = () =>
  Object.fromEntries(Object.entries(leverValues(TERMS)).map(([name, value]) => [name, value === null ? null : digestText(value)]));
const heartbeat = (more: Partial<ReceivedHeartbeat> = {}): ReceivedHeartbeat => ({
  ...{ process_id: 'process-1', at: ago(10), product_version: '2.41.1', hook_sha256: hookFileHash(), levers: levers() },
  ...{ node_sha256: nodePackageDigest(), proven: true },
  probe: { target: 'console.service.example:443', result: 'BLOCKED', at: ago(100) },
  ...more,
});
const holds = (...beats: ReceivedHeartbeat[]) =>
  Object.fromEntries(readHeartbeats(TERMS, beats, NOW).map(({ name, holds: held }) => [name, held]));

const getContent = (path: string): string => managedBundle(TERMS).files.find((file) => file.path === path)?.content ?? '';

test('the same terms give the same files with the same hashes, and other terms another hash', () => {
  const [one, other] = [managedBundle(TERMS), managedBundle(structuredClone(TERMS))];
  assert.deepEqual(one, other);
  const getBytes = (content: string, encoding: string) => Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
  for (const { content, encoding, sha256 } of one.files) assert.equal(hash('sha256', getBytes(content, encoding), 'hex'), sha256);
  const moved = managedBundle({ ...TERMS, gatewayUrl: 'https://other.service.example' });
  assert.notEqual(moved.hash, one.hash);
  assert.notEqual(managedBundle({ ...TERMS, settings: { governed_node_types: ['n8n-nodes-base.slack'] } }).hash, one.hash);
});

test('no file contains a value for a secret slot', () => {
  const slots = ['N8N_ENCRYPTION_KEY', 'N8N_INSTANCE_OWNER_PASSWORD_HASH', 'SVC_AGENT_KEY'];
  for (const { path, content } of managedBundle(TERMS).files)
    for (const slot of slots) assert.doesNotMatch(content, new RegExp(`^\\s*${slot}\\s*[=:]\\s*(?!\\$\\{)\\S`, 'm'), path);
});

test('the hook file reports each setting that is compared, and no other', () => {
  const block = /const LEVERS = \[([\s\S]*?)\n\];/.exec(hookFile())?.[1] ?? '';
  const reported = [...block.matchAll(/'([A-Z0-9_]+)'/g)].map(([, name]) => name);
  assert.deepEqual(reported.toSorted(), Object.keys(leverValues(TERMS)).toSorted());
});

test('the environment file contains the settings that heartbeats are compared with', () => {
  const lines = getContent('n8n.env').split('\n');
  for (const [name, value] of Object.entries(leverValues(TERMS))) assert.ok(lines.includes(`${name}=${value}`), name);
});

test('the network policy permits egress of pods to the gateway and name servers only, and the pods have no rights', () => {
  const [policy] = loadAll(getContent('kubernetes/network-policy.yaml')) as [
    {
      spec: {
        podSelector: object;
        policyTypes: string[];
        egress: { to: { podSelector: { matchLabels: object } }[]; ports?: { port: number }[] }[];
      };
    },
  ];
  assert.deepEqual([policy.spec.podSelector, policy.spec.policyTypes], [{}, ['Ingress', 'Egress']]);
  assert.deepEqual(
    policy.spec.egress.map(({ to, ports }) => [to.map(({ podSelector }) => podSelector.matchLabels), ports?.map(({ port }) => port)]),
    [
      [[{ app: 'governance-gateway' }], undefined],
      [[{ 'k8s-app': 'kube-dns' }], [53, 53]],
    ],
  );
  const [deployment] = loadAll(getContent('kubernetes/deployment.yaml')) as [
    { spec: { template: { spec: { automountServiceAccountToken: boolean; containers: { securityContext: object }[] } } } },
  ];
  const { automountServiceAccountToken, containers } = deployment.spec.template.spec;
  assert.deepEqual(
    [automountServiceAccountToken, containers.map(({ securityContext }) => securityContext)],
    [false, [{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } }]],
  );
  const [, hook] = loadAll(getContent('kubernetes/configuration.yaml')) as [object, { data: Record<string, string> }];
  assert.equal(hook.data['hook.cjs'], hookFile());
});

test('the compose file attaches the instance to networks without egress only', () => {
  const [compose] = loadAll(getContent('compose.yaml')) as [
    { services: Record<string, { networks: string[]; read_only: boolean }>; networks: Record<string, { internal: boolean }> },
  ];
  assert.ok(Object.values(compose.networks).every(({ internal }) => internal));
  assert.deepEqual(
    Object.values(compose.services).map(({ networks, read_only }) => [networks, read_only]),
    [[['gateway'], true]],
  );
});

test('heartbeats hold for the files of the bundle, and for no other hook file or setting', () => {
  assert.deepEqual(holds(heartbeat()), { HOOK_ALIVE: true, BUNDLE: true, NETWORK: true });
  assert.equal(holds(heartbeat({ hook_sha256: 'f'.repeat(64) })).BUNDLE, false);
  for (const name of Object.keys(levers()))
    assert.equal(holds(heartbeat({ levers: { ...levers(), [name]: 'f'.repeat(64) } })).BUNDLE, false, name);
  assert.equal(holds(heartbeat({ levers: {} })).BUNDLE, false);
});

test('the archive of the governed node unpacks to the files whose hash a heartbeat reports', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'archive-'));
  try {
    const archive = managedBundle(TERMS).files.find(({ path: name }) => name.endsWith('.tar'));
    const { status, stderr } = spawnSync('tar', ['-xf', '-', '-C', folder], { input: Buffer.from(archive?.content ?? '', 'base64') });
    assert.equal(status, 0, String(stderr));
    const root = path.join(folder, 'n8n-nodes-svc-governance');
    const names = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
      .toSorted();
    const lines = names.map((name) => `${hash('sha256', readFileSync(path.join(root, name)), 'hex')}  ${name}\n`);
    assert.equal(digestText(lines.join('')), nodePackageDigest());
    assert.ok(names.includes('dist/SvcAction.node.js') && names.includes('package.json'), names.join());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('another governed node, none, and a heartbeat that does not answer the last response do not hold', () => {
  for (const more of [{ node_sha256: null }, { node_sha256: 'f'.repeat(64) }, { proven: false }])
    assert.equal(holds(heartbeat(more)).BUNDLE, false, JSON.stringify(more));
  assert.equal(holds(heartbeat({ proven: false })).HOOK_ALIVE, false);
  // The first heartbeat of a process shows nothing, but what it reports against itself counts.
  assert.deepEqual(holds(heartbeat({ proven: null })), {});
  assert.equal(holds(heartbeat({ proven: null, node_sha256: null })).BUNDLE, false);
  assert.equal(holds(heartbeat(), heartbeat({ proven: null })).BUNDLE, true);
});

test('one process that differs is enough, and one that is silent does not count', () => {
  const other = heartbeat({ process_id: 'process-2', hook_sha256: 'f'.repeat(64) });
  assert.equal(holds(heartbeat(), other).BUNDLE, false);
  assert.equal(holds(heartbeat(), { ...other, at: ago(400) }).BUNDLE, true);
  assert.deepEqual(holds(heartbeat({ at: ago(301) })), {});
});

test('a connection that the network let through does not hold, and one that shows nothing is not known', () => {
  const tried = (result: string) => heartbeat({ probe: { target: 'console.service.example:443', result, at: ago(5) } });
  assert.equal(holds(tried('REACHED')).NETWORK, false);
  assert.equal(holds(heartbeat(), tried('REACHED')).NETWORK, false);
  assert.equal(holds(tried('NOT_KNOWN')).NETWORK, null);
  assert.equal('NETWORK' in holds(heartbeat({ probe: null })), false);
});

test('a workflow starts only with allowed node types, and a credential of another service is not stored', () => {
  const started = (...node_types: string[]) => hookRefusal({}, { event: 'workflow.preExecute', node_types })?.types;
  assert.equal(started('n8n-nodes-base.webhook', 'n8n-nodes-svc-governance.svcActionTool'), undefined);
  assert.deepEqual(started('n8n-nodes-base.httpRequestTool', 'n8n-nodes-base.set'), ['n8n-nodes-base.httpRequestTool']);
  assert.deepEqual(started('n8n-nodes-evil.svcAction'), ['n8n-nodes-evil.svcAction']);
  assert.equal(hookRefusal({}, { event: 'workflow.create', node_types: ['n8n-nodes-base.code'] }), undefined);
  assert.equal(
    hookRefusal({ governed_node_types: ['n8n-nodes-base.code'] }, { event: 'workflow.activate', node_types: ['n8n-nodes-base.code'] }),
    undefined,
  );
  assert.deepEqual(hookRefusal({}, { event: 'credentials.create', credential_type: 'slackApi' })?.types, ['slackApi']);
  assert.deepEqual(hookRefusal({}, { event: 'credentials.update' })?.types, ['unknown']);
  assert.equal(hookRefusal({}, { event: 'credentials.create', credential_type: 'svcAgentApi' }), undefined);
});
