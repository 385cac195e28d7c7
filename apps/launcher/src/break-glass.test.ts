import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { findServerProcesses } from '@svc/database-server/postmaster/find-server-processes.ts';
import { startDatabaseServer } from '@svc/database-server/start-database-server.ts';
import { connectAsOwner } from '@svc/testing/database/database.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { getPersonsEnvironment, launchService } from '@svc/testing/processes/launch-service.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-break-glass-'));
after(() => rmSync(home, { recursive: true, force: true }));

const breakGlass = (dataDir: string, ...words: readonly string[]): Promise<{ readonly code: number; readonly said: string }> =>
  new Promise((resolve) => {
    const options = { env: getPersonsEnvironment({ DATA_DIR: dataDir, PGHOST: 'nowhere.example' }) };
    execFile(process.execPath, [path.join(import.meta.dirname, 'break-glass.ts'), ...words], options, (error, out, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: out + errors }),
    );
  });

test('break-glass access is granted while nothing runs, on an embedded database that is started and stopped for it', async () => {
  const dataDir = path.join(home, 'data');
  const service = await launchService({ dataDir });
  const { organization_id, environment_id } = await newTenant(service).finally(() => service.stop());
  const before = await startDatabaseServer({ dataDir });
  const naming = await connectAsOwner(before.ownerUrl);
  await naming.query('update organizations set name = $2 where id = $1', [organization_id, '\u001b[2JAcme\u202e']);
  await naming.end();
  await before.stop();
  const cluster = path.join(dataDir, 'postgres');
  assert.equal(findServerProcesses(cluster).postmaster, undefined);
  const { code, said } = await breakGlass(dataDir, 'pause', organization_id, '--reason', 'It must not start again as it was.');
  assert.deepEqual([code, said.includes(`${environment_id}  is PAUSED now`)], [0, true], said);
  assert.ok(said.startsWith(String.raw`\u{1b}[2JAcme\u{202e} (org_`), JSON.stringify(said));
  assert.equal(findServerProcesses(cluster).postmaster, undefined);
  const server = await startDatabaseServer({ dataDir });
  const owner = await connectAsOwner(server.ownerUrl);
  const { rows } = await owner.query('select paused_at is not null as paused from environments where id = $1', [environment_id]);
  await owner.end();
  await server.stop();
  assert.deepEqual(rows, [{ paused: true }]);
});

test('a folder without a service is reported in a sentence, and nothing is created in it', async () => {
  const { code, said } = await breakGlass(home, 'pause', 'x', '--reason', 'x');
  assert.equal(code, 1);
  assert.match(said, /^There is no database in \S+: name its folder with DATA_DIR/);
  assert.equal(existsSync(path.join(home, 'postgres')), false);
});
