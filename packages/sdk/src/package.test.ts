import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { decisionFor } from './peer-answers.ts';
import { type Deed, type Peer, refused, type Seen, startPeer } from './peer-gateway.ts';
import { SDK_VERSION } from './sdk-identity.ts';

const run = promisify(execFile);
const packageFolder = resolve(import.meta.dirname, '..');
const compiler = resolve(packageFolder, '../../node_modules/.bin/tsc');
const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));

/** Some Node that is older than the one the project runs on, as users of the package have. */
const olderNode = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => {
    const major = Number(/^v(\d+)/.exec(String(spawnSync(node, ['--version']).stdout))?.[1]);
    return major >= 20 && major < 24;
  });

const examples = [...readFileSync(join(packageFolder, 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);

/** A folder of somebody who has installed the package: what would be published, and nothing else of this project. */
const folder = mkdtempSync(join(tmpdir(), 'sdk-'));
const installed = join(folder, 'node_modules', '@svc', 'sdk');

const COMPILER_OPTIONS = { target: 'es2022', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, outDir: 'out' };

before(async () => {
  mkdirSync(installed, { recursive: true });
  cpSync(join(packageFolder, 'package.json'), join(installed, 'package.json'));
  await run(compiler, ['-p', join(packageFolder, 'tsconfig.build.json'), '--outDir', join(installed, 'dist')]);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  examples.forEach((text, index) => {
    writeFileSync(join(folder, `example-${index}.ts`), `declare const process: { env: Record<string, string | undefined> };\n${text}`);
  });
});
after(() => rmSync(folder, { recursive: true }));

test('the version that agents report is the one of the package', () => {
  assert.equal(SDK_VERSION, manifest.version);
});

test('the published package depends on nothing, and its files import only each other', () => {
  assert.deepEqual([manifest.dependencies, manifest.peerDependencies, manifest.optionalDependencies], [undefined, undefined, undefined]);
  const files = globSync('dist/**/*.{js,d.ts}', { cwd: installed });
  assert.ok(files.length > 30);
  for (const file of files) {
    const imports = readFileSync(join(installed, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g);
    for (const [, specifier = ''] of imports) assert.match(specifier, /^\.\//, file);
  }
  for (const [name, target] of Object.entries<{ default: string; types: string }>(manifest.exports)) {
    if (typeof target === 'object') assert.ok(files.includes(target.default.slice(2)) && files.includes(target.types.slice(2)), name);
  }
});

const SURROUNDINGS = {
  'a browser': { lib: ['es2022', 'dom'], types: [] },
  Node: { lib: ['es2022'], types: ['node'], typeRoots: [resolve(packageFolder, '../../node_modules/@types')] },
};
for (const [name, surroundings] of Object.entries(SURROUNDINGS)) {
  test(`the examples of the README compile with the types of ${name}, and the published types are checked with them`, async () => {
    const compilerOptions = { ...COMPILER_OPTIONS, ...surroundings, skipDefaultLibCheck: true };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    await run(compiler, ['-p', folder]).catch(({ stdout }) => assert.fail(stdout));
  });
}

/** Answers to the tools that the examples use. */
const answersToExamples = (): ((request: Seen) => Deed) => {
  const held = refused(403, 'APPROVAL_REQUIRED', { approval_id: 'apr_1', poll_after_seconds: 1, expires_at: '2999-01-01T00:00:00.000Z' });
  const decision = decisionFor('account.close', { decision: 'BLOCK', status: 'BLOCKED', code: 'ACTION_BLOCKED' });
  const blocked = refused(403, 'ACTION_BLOCKED', { decision });
  const approved = { id: 'apr_1', action_id: 'act_1', status: 'APPROVED', reason: '', denial_reason: null, poll_after_seconds: 1 };
  return ({ path, body }) => {
    if (path.includes('/approvals/')) return { status: 200, body: { ...approved, expires_at: '2999-01-01T00:00:00.000Z' } };
    if (body?.tool === 'account.close') return blocked;
    if (body?.tool === 'mail.send')
      return { status: 200, body: decisionFor('mail.send', { status: 'COMPLETED', execution: { state: 'EXECUTED' } }) };
    return body?.amount === 90_000 && !body.approval_id ? held : undefined;
  };
};

const runExample = async (node: string, index: number, peer: Peer): Promise<string> => {
  const env = { GATEWAY_URL: peer.url, AGENT_ID: peer.agentId, AGENT_PRIVATE_KEY: peer.privateKey };
  const { stdout, stderr } = await run(node, [`out/example-${index}.js`], { cwd: folder, env, timeout: 20_000 });
  assert.equal(stderr, '');
  return stdout;
};

const PRINTED = [
  'refunded 1250\n',
  'pay-DE02-990\n',
  'ALLOW EXECUTED\n',
  '',
  'waiting for apr_1 until 2999-01-01T00:00:00.000Z\nAPPROVED\n',
  'Refused with ACTION_BLOCKED. null\n',
];

const printAsPromised = async (node: string): Promise<void> => {
  const peer = await startPeer();
  peer.deed = answersToExamples();
  const printed: string[] = [];
  for (const index of examples.keys()) printed.push(await runExample(node, index, peer));
  await peer.close();
  assert.deepEqual(printed, PRINTED);
  assert.equal(peer.seen.filter(({ path, body }) => path.endsWith('/outcome') && body.status === 'COMPLETED').length, 3);
};

test('the examples of the README run on the Node of this project and print what they promise, without a warning', () =>
  printAsPromised(process.execPath));

const skip = olderNode === undefined && 'there is no Node from 20 to 23 on the PATH';
test('the examples of the README run on an older Node and print what they promise', { skip }, () => printAsPromised(olderNode ?? ''));
