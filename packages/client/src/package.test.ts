import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Installed, installPackage, run } from '@svc/testing/peers/peer-package.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { getPersonsEnvironment } from '@svc/testing/processes/launch-service.ts';
import { OPERATIONS } from './operations.ts';

const PROGRAM = `
import { bearerTransport, createControlClient, isServiceError, listAll, type OperationResult } from '@svc/client';
declare const process: { env: Record<string, string | undefined> };
const { CONTROL_URL: url = '', TOKEN: token = '' } = process.env;
const client = createControlClient({ transport: bearerTransport({ url, token }) });
const main = async (): Promise<void> => {
  const workspace: OperationResult<'createWorkspace'> = await client.createWorkspace({ body: { name: 'From a program' } });
  const names: string[] = [];
  for await (const { name } of listAll(client, 'listWorkspaces')) names.push(name);
  console.log(workspace.name, names.includes('From a program'));
  try {
    await client.getAgent({ params: { agentId: 'agt_none' } });
  } catch (error) {
    console.log(isServiceError(error, 'NOT_FOUND'));
  }
  // @ts-expect-error An agent cannot be read without its id.
  void (() => client.getAgent({}));
  // @ts-expect-error The body has no such member.
  void (() => client.createWorkspace({ body: { name: 'a', colour: 'red' } }));
};
void main();
`;

let planes: Planes;
let tenant: Tenant;
let installed: Installed;
before(async () => {
  planes = await leasePlanes();
  tenant = await newTenant(planes);
  installed = await installPackage(getPersonsEnvironment(), 'client');
});
after(async () => {
  installed?.remove();
  await planes?.stop();
});

test('the published package has no dependencies, and its files import only each other', () => {
  const manifest = JSON.parse(readFileSync(join(installed.at, 'package.json'), 'utf8'));
  assert.equal(manifest.dependencies, undefined);
  const files = globSync('dist/**/*.{js,d.ts}', { cwd: installed.at });
  assert.ok(files.length > 30);
  for (const file of files) {
    const text = readFileSync(join(installed.at, file), 'utf8').replaceAll(/^export \* from.*$/gm, '');
    for (const [, specifier = ''] of text.matchAll(/(?:^|\s)(?:from|require\()\s*['"]([^'"]+)['"]/g)) {
      assert.match(specifier, /^\.\.?\/.*\.js$/, file);
      assert.ok(files.includes(join(dirname(file), specifier)), `${file} imports ${specifier}`);
    }
  }
});

test('the published package describes every operation for programs that list them', () => {
  const described = JSON.parse(readFileSync(join(installed.at, 'dist', 'operations.json'), 'utf8'));
  assert.deepEqual(
    described.map(({ name }: { name: string }) => name),
    Object.keys(OPERATIONS),
  );
  const pause = described.find(({ name }: { name: string }) => name === 'pauseAgent');
  assert.deepEqual([pause.permissions, pause.emergency, pause.body.type], [['agent:pause'], true, 'object']);
});

const KINDS = [
  ['import', 'program.mts', 'out/program.mjs', { module: 'node16', moduleResolution: 'node16' }],
  ['require', 'program.cts', 'out/program.cjs', { module: 'node16', moduleResolution: 'node16' }],
] as const;
for (const [kind, source, built, options] of KINDS) {
  test(`installed in another project, the package compiles and runs by ${kind}`, async () => {
    writeFileSync(join(installed.folder, source), PROGRAM);
    await installed.compile({ ...options, lib: ['es2022', 'dom', 'dom.iterable'], types: [], outDir: 'out' }, [source]);
    const env = { CONTROL_URL: planes.controlUrl, TOKEN: tenant.token };
    const { stdout, stderr } = await run(process.execPath, [built], { cwd: installed.folder, env, timeout: 30_000 });
    assert.deepEqual([stdout, stderr], ['From a program true\ntrue\n', '']);
  });
}

test('installed in another project, the types fit a bundler', async () => {
  writeFileSync(join(installed.folder, 'bundled.ts'), PROGRAM);
  const options = { module: 'esnext', moduleResolution: 'bundler', noEmit: true, lib: ['es2022', 'dom', 'dom.iterable'], types: [] };
  await installed.compile(options, ['bundled.ts']);
});
