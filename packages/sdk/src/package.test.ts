import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { buildDecision } from '@svc/testing/peers/peer-answers.ts';
import { type Deed, type Peer, type PeerRequest, refuseStage, startPeer } from '@svc/testing/peers/peer-gateway.ts';
import { type Installed, installFolder, installPackage, packageFolder, run } from '@svc/testing/peers/peer-package.ts';
import { startPlanes } from '@svc/testing/planes/start-planes.ts';
import { getPersonsEnvironment } from '@svc/testing/processes/launch-service.ts';
import { SDK_VERSION } from './identity/sdk-identity.ts';

const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));

/** A Node older than the project's, like users of the package have. */
const olderNode = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => {
    const major = Number(/^v(\d+)/.exec(String(spawnSync(node, ['--version']).stdout))?.[1]);
    return major >= 20 && major < 24;
  });

const examples = [...readFileSync(join(packageFolder, 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);
const exampleFiles = examples.map((_, index) => `example-${index}.ts`);

/** The same program for both module kinds: a permitted, a refused and an unexecuted action, and an unreachable gateway. */
const PROGRAM = `
declare const process: { env: Record<string, string> };
const { GATEWAY_URL: gatewayUrl = '', AGENT_ID: agentId = '', AGENT_PRIVATE_KEY: privateKey = '' } = process.env;
const client = new Governance({ gatewayUrl, agentId, privateKey });
const lines: string[] = [];
const noted = async (name: string, work: () => Promise<Decision>): Promise<void> => {
  try {
    const { status, execution } = await work();
    lines.push([name, status, execution?.state].join(' '));
  } catch (error) {
    if (!(error instanceof GovernanceError)) throw error;
    lines.push([name, error.name, error instanceof NotExecuted ? error.reason !== '' : error.code, new URL(error.docsUrl ?? 'none:').hash].join(' '));
  }
};
const main = async (): Promise<void> => {
  await noted('permitted', () => client.act('pay', { parameters: { to: 'a' } }));
  await noted('refused', () => client.act('pay', { parameters: { to: 'b' } }));
  await noted('undone', () => client.act('call', {}));
  await noted('undone, asked for', () => client.act('call', { allowNotExecuted: true }));
  await noted('nobody', () => new Governance({ gatewayUrl: 'http://127.0.0.1:1', agentId, privateKey, timeoutMs: 5_000 }).act('pay'));
  console.log(lines.join('\\n'));
};
void main();
void verifyWebhook;
`;
const NAMES = { '': 'Governance', '/answers': 'type Decision', '/errors': 'GovernanceError, NotExecuted', '/webhooks': 'verifyWebhook' };
const importing = Object.entries(NAMES).map(([entry, names]) => `import { ${names} } from '@svc/sdk${entry}';`);

let installed: Installed;
before(async () => {
  installed = await installPackage(getPersonsEnvironment());
  examples.forEach((text, index) => {
    const declared = 'declare const process: { env: Record<string, string | undefined> };';
    writeFileSync(join(installed.folder, exampleFiles[index] ?? ''), `${declared}\n${text}`);
  });
});
after(() => installed?.remove());

test('installed from its folder, the client builds itself, for import and for require', async () => {
  const { folder, remove } = await installFolder(getPersonsEnvironment());
  try {
    const imported = "console.log(Object.keys(await import('@svc/sdk')).join(), typeof (await import('@svc/sdk/errors')).NotExecuted)";
    const required = "console.log(Object.keys(require('@svc/sdk')).join(), typeof require('@svc/sdk/errors').NotExecuted)";
    for (const [kind, text] of [
      ['module', imported],
      ['commonjs', required],
    ] as const) {
      const { stdout } = await run(process.execPath, [`--input-type=${kind}`, '-e', text], { cwd: folder });
      assert.equal(stdout, 'Governance,TestingGovernance function\n', kind);
    }
  } finally {
    remove();
  }
});

test('the version that agents report is the one of the package', () => {
  assert.equal(SDK_VERSION, manifest.version);
});

test('the published package depends on nothing, and its files import only each other', () => {
  assert.deepEqual([manifest.dependencies, manifest.optionalDependencies], [undefined, undefined]);
  // Frameworks that the guards fit are named, and none is installed.
  for (const name of Object.keys(manifest.peerDependencies)) assert.equal(manifest.peerDependenciesMeta[name]?.optional, true, name);
  const files = globSync('dist/**/*.{js,d.ts}', { cwd: installed.at });
  assert.ok(files.length > 60);
  for (const file of files) {
    const imports = readFileSync(join(installed.at, file), 'utf8').matchAll(/(?:from|import|require)\s*\(?\s*['"]([^'"]+)['"]/g);
    for (const [, specifier = ''] of imports) {
      assert.match(specifier, /^\.\.?\/.*\.js$/, file);
      assert.ok(files.includes(join(dirname(file), specifier)), `${file} imports ${specifier}`);
    }
  }
});

const SURROUNDINGS = {
  'a browser': { lib: ['es2022', 'dom'], types: [] },
  Node: { lib: ['es2022'], types: ['node'], typeRoots: [resolve(packageFolder, '../../node_modules/@types')] },
};
for (const [name, surroundings] of Object.entries(SURROUNDINGS)) {
  test(`the examples of the README compile with the types of ${name}, and the published types are checked with them`, () =>
    installed.compile({ module: 'nodenext', outDir: 'out', ...surroundings }, exampleFiles));
}

const RESOLUTIONS = [
  ['import by Node', 'program.mts', { module: 'node16', moduleResolution: 'node16' }],
  ['require by Node', 'program.cts', { module: 'node16', moduleResolution: 'node16' }],
  ['import by a bundler', 'program.ts', { module: 'esnext', moduleResolution: 'bundler', noEmit: true }],
] as const;
for (const [name, file, options] of RESOLUTIONS) {
  test(`the types of the package are found and fit for ${name}`, async () => {
    // In a CommonJS file these statements become calls of require, and the types must be those of CommonJS.
    writeFileSync(join(installed.folder, file), [...importing, PROGRAM].join('\n'));
    await installed.compile({ ...options, ...SURROUNDINGS['a browser'], outDir: 'out' }, [file]);
  });
}

const EXPECTED = `permitted ALLOWED BY_AGENT
refused ActionBlocked ACTION_BLOCKED #ACTION_BLOCKED
undone NotExecuted true 
undone, asked for ALLOWED NOT_EXECUTED
nobody GatewayUnreachable GATEWAY_UNREACHABLE 
`;

test('installed from its package, the client works against a live gateway by import and by require alike', async () => {
  const planes = await startPlanes();
  try {
    const rules = [
      { id: 'b', effect: 'BLOCK', reason: 'Not to b.', when: { field: 'parameters.to', op: 'eq', value: 'b' } },
      { id: 'all', effect: 'ALLOW', reason: 'Allowed here.' },
    ];
    const governed = await newGoverned(planes, { rules, tests: [{ name: 'a', given: {}, then: { effect: 'ALLOW' } }] });
    const { environment_id } = governed.tenant;
    const call = { name: 'call', kind: 'HTTP', environment_id, required_capability: 'pay', destination_allowlist: ['api.example.com'] };
    const tool = await governed.owner('POST', '/v1/tools', { ...call, execution: { method: 'GET', url: 'https://api.example.com/' } });
    await governed.owner('POST', `/v1/tools/${tool.json.id}/agents`, { agent_id: governed.agent.id });
    const privateKey = governed.agent.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const env = { GATEWAY_URL: planes.gatewayUrl, AGENT_ID: governed.agent.id, AGENT_PRIVATE_KEY: privateKey };
    for (const file of ['out/program.mjs', 'out/program.cjs']) {
      const { stdout, stderr } = await run(process.execPath, [file], { cwd: installed.folder, env, timeout: 30_000 });
      assert.deepEqual([stdout, stderr], [EXPECTED, ''], file);
    }
  } finally {
    await planes.stop();
  }
});

/** Responses to the tools of the examples. */
const answersToExamples = (): ((request: PeerRequest) => Deed) => {
  const held = refuseStage(403, 'APPROVAL_REQUIRED', {
    approval_id: 'apr_1',
    poll_after_seconds: 1,
    expires_at: '2999-01-01T00:00:00.000Z',
  });
  const decision = buildDecision('account.close', { decision: 'BLOCK', status: 'BLOCKED', code: 'ACTION_BLOCKED' });
  const blocked = refuseStage(403, 'ACTION_BLOCKED', { decision });
  const approved = { id: 'apr_1', action_id: 'act_1', status: 'APPROVED', reason: '', denial_reason: null, poll_after_seconds: 1 };
  return ({ path, body }) => {
    if (path.includes('/approvals/')) return { status: 200, body: { ...approved, expires_at: '2999-01-01T00:00:00.000Z' } };
    if (body?.tool === 'account.close') return blocked;
    if (body?.tool === 'mail.send')
      return { status: 200, body: buildDecision('mail.send', { status: 'COMPLETED', execution: { state: 'EXECUTED' } }) };
    return body?.amount === 90_000 && !body.approval_id ? held : undefined;
  };
};

const runExample = async (node: string, index: number, peer: Peer): Promise<string> => {
  const env = { GATEWAY_URL: peer.url, AGENT_ID: peer.agentId, AGENT_PRIVATE_KEY: peer.privateKey };
  const { stdout, stderr } = await run(node, [`out/example-${index}.js`], { cwd: installed.folder, env, timeout: 20_000 });
  assert.equal(stderr, '');
  return stdout;
};

const PRINTED = [
  'refunded 1250\n',
  'pay-DE02-990\n',
  'ALLOW EXECUTED\n',
  '',
  'waiting for apr_1 until 2999-01-01T00:00:00.000Z\nAPPROVED\n',
  'ALLOWED\n',
  'Refused with ACTION_BLOCKED. null\n',
];

const printAsPromised = async (node: string): Promise<void> => {
  const peer = await startPeer();
  peer.deed = answersToExamples();
  const printed: string[] = [];
  try {
    for (const index of examples.keys()) printed.push(await runExample(node, index, peer));
  } finally {
    await peer.close();
  }
  assert.deepEqual(printed, PRINTED);
  assert.equal(peer.seen.filter(({ path, body }) => path.endsWith('/outcome') && body.status === 'COMPLETED').length, 3);
};

test('the examples of the README run on the Node of this project and print the stated output, without a warning', () =>
  printAsPromised(process.execPath));

const skip = olderNode === undefined && 'there is no Node from 20 to 23 on the PATH';
test('the examples of the README run on an older Node and print the stated output', { skip }, () => printAsPromised(olderNode ?? ''));
