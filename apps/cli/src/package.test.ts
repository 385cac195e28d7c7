import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Installed, installPackage } from '@svc/testing/peers/peer-package.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { getPersonsEnvironment } from '@svc/testing/processes/launch-service.ts';
import { openSvc } from '@svc/testing/processes/open-svc.ts';

let planes: Planes;
let installed: Installed;
before(async () => {
  planes = await leasePlanes();
  installed = await installPackage(getPersonsEnvironment(), 'cli');
});
after(async () => {
  installed?.remove();
  await planes?.stop();
});

test('installed in another folder, the package needs no other one and works', async () => {
  const manifest = JSON.parse(readFileSync(join(installed.at, 'package.json'), 'utf8'));
  assert.equal(manifest.dependencies, undefined);
  assert.ok(existsSync(join(installed.folder, 'node_modules', '.bin', 'svc')));
  const program = join(installed.at, 'dist', 'svc.mjs');
  assert.ok(statSync(join(installed.at, 'dist', 'licences.txt')).size > 1_000);
  const tenant = await newTenant(planes);
  const svc = openSvc({ SVC_URL: planes.controlUrl, SVC_TOKEN: tenant.token }, program);
  try {
    assert.equal((await svc.run(['--version'])).stdout, `${manifest.version}\n`);
    assert.equal((await svc.run(['whoami', '--json'])).json.user.email, tenant.email);
    assert.equal((await svc.run(['workspaces', 'list', '--json'])).json.length, 1);
  } finally {
    svc.remove();
  }
});
