import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeRoot, EMPTY_TREE, growTree } from '@svc/keyring/log/merkle.ts';
import { connect } from '@svc/postgres/connection/connect.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { keepLog } from '@svc/testing/logs/keep-log.ts';
import { LOG_INSTALLATION, newSealedLog } from '@svc/testing/logs/sealed-log.ts';
import { type LogReader, verifyLog } from './verify-log.ts';

test('a log that grows between the reads of its verification is not reported as truncated or replaced, and a truncated one is', async () => {
  const database = await createFreshDatabase();
  const owner = await database.client();
  const app = connect({ url: database.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 1, timeoutMs: 20_000 });
  try {
    const sealed = newSealedLog(80);
    const { organizationId: organization_id, key } = sealed;
    const log = { organizationId: organization_id, installationId: LOG_INSTALLATION, keys: [key.publicKey] };
    let size = 10;
    /** `by`: number of leaves that are added after each read. */
    const readGrowing =
      (by: number): LogReader =>
      async (work) => {
        const result = await readInTenant(app, { organization_id }, work);
        size += by;
        await keepLog(owner, sealed, size);
        return result;
      };
    // None of its events exists here: each is reported as deleted, and this test is about the log.
    const ofLog = async (by: number) => {
      await keepLog(owner, sealed, size);
      const { findings } = await verifyLog(readGrowing(by), log, 0);
      return findings.flatMap(({ kind, says }) => (kind === 'LOG_CHANGED' ? [says] : []));
    };
    assert.deepEqual(await ofLog(3), []);
    assert.ok(size > 20, 'it did not grow between reads, so that this proves nothing');
    const row = [organization_id, 80, computeRoot(growTree(EMPTY_TREE, sealed.hashes)), sealed.checkpointOf(80)];
    await owner.query('insert into audit_checkpoints (organization_id, size, root_hash, note) values ($1, $2, $3, $4)', row);
    assert.deepEqual(await ofLog(0), [`The log was truncated: it had 80 leaves and now has ${size}.`]);
  } finally {
    await app.destroy();
    await owner.end();
    await database.drop();
  }
});
