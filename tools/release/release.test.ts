import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { getPersonsEnvironment } from '@svc/testing/processes/launch-service.ts';
import { buildRelease } from './build-release.ts';
import { listVersionFaults } from './check-versions.ts';
import { isAllowed, listLicences } from './licences.ts';
import { findBuilder } from './pack-packages.ts';
import { VERIFY } from './sign.ts';

const root = path.resolve(import.meta.dirname, '../..');
const missing = spawnSync('ssh-keygen', ['-?']).error !== undefined && 'there is no ssh-keygen: apt-get install openssh-client';

test('all files state one version', () => assert.deepEqual(listVersionFaults(root).faults, []));

test('every locked package has an allowed licence', () => {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const listed = listLicences(packages);
  assert.ok(listed.length > 300);
  assert.deepEqual(
    listed.filter(({ licence }) => !isAllowed(licence)),
    [],
  );
});

test('a licence outside the list is rejected, also as a part of a conjunction', () => {
  for (const one of ['GPL-3.0-only', 'AGPL-3.0-only', 'none stated', '(MIT AND GPL-2.0-only)', 'SSPL-1.0', ''])
    assert.equal(isAllowed(one), false, one);
  for (const one of ['MIT', '(MIT OR GPL-3.0-or-later)', '(MIT AND Zlib)']) assert.equal(isAllowed(one), true, one);
  const [listed] = listLicences({ 'node_modules/new-package': { version: '1.0.0' } });
  assert.deepEqual(listed, { name: 'new-package', version: '1.0.0', licence: 'none stated', ships: true });
});

describe('a release', { skip: missing }, () => {
  const home = mkdtempSync(path.join(tmpdir(), 'release-test-'));
  const folder = path.join(home, 'release');
  const key = path.join(home, 'key');
  const { version } = listVersionFaults(root);
  const verify = (line: string) => spawnSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' });

  before(() => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    const withPython = findBuilder() !== undefined;
    assert.deepEqual(buildRelease({ root, folder, key, mayBeDirty: true, withPython, report: () => undefined }), []);
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  test('contains the packages, the verifier, the SBOM and the licences', () => {
    const names = readdirSync(folder);
    const expected = ['LICENSE', 'licences.tsv', 'release.json', 'sbom.cdx.json', `svc-cli-${version}.tgz`, `svc-client-${version}.tgz`];
    for (const name of [...expected, `svc-sdk-${version}.tgz`, `verify-${version}.mjs`]) assert.ok(names.includes(name), name);
    if (findBuilder() !== undefined)
      for (const name of [`svc-sdk-${version}.tar.gz`, `svc_sdk-${version}-py3-none-any.whl`]) assert.ok(names.includes(name), name);
    const sbom = JSON.parse(readFileSync(path.join(folder, 'sbom.cdx.json'), 'utf8'));
    assert.equal(sbom.bomFormat, 'CycloneDX');
    assert.ok(sbom.components.some(({ name }: { name: string }) => name === 'typebox'));
  });

  test('verifies by the two documented commands, and not after one byte was added', () => {
    const document = readFileSync(path.join(root, 'docs/operating/upgrades.md'), 'utf8');
    assert.ok(document.includes(`\n${VERIFY.join('\n')}\n`));
    for (const line of VERIFY) assert.equal(verify(line).status, 0, verify(line).stderr);
    const file = path.join(folder, 'licences.tsv');
    const sums = path.join(folder, 'SHA256SUMS');
    const [fileText, sumsText] = [readFileSync(file), readFileSync(sums)];
    appendFileSync(file, '\n');
    assert.notEqual(verify(VERIFY[0]).status, 0);
    appendFileSync(sums, '\n');
    assert.notEqual(verify(VERIFY[1]).status, 0);
    writeFileSync(file, fileText);
    writeFileSync(sums, sumsText);
  });

  test('installs into another project without the network, and `svc --version` prints its version', () => {
    const project = mkdtempSync(path.join(home, 'project-'));
    writeFileSync(path.join(project, 'package.json'), JSON.stringify({ name: 'other', private: true, type: 'module' }));
    const env = getPersonsEnvironment();
    const packed = ['sdk', 'client', 'cli'].map((name) => path.join(folder, `svc-${name}-${version}.tgz`));
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', ...packed], { cwd: project, env, stdio: 'pipe' });
    const svc = path.join(project, 'node_modules/.bin/svc');
    assert.equal(execFileSync(svc, ['--version'], { cwd: project, env, encoding: 'utf8' }), `${version}\n`);
    const program =
      "import { Governance } from '@svc/sdk'; import * as client from '@svc/client'; console.log(typeof Governance, Object.keys(client).length > 0)";
    assert.equal(
      execFileSync(process.execPath, ['-e', program, '--input-type=module'], { cwd: project, env, encoding: 'utf8' }),
      'function true\n',
    );
  });

  test('is refused for an existing folder', () => {
    assert.throws(() => buildRelease({ root, folder, key, mayBeDirty: true, withPython: false, report: () => undefined }), /EEXIST/);
  });
});
