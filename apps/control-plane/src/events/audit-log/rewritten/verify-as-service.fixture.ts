import { createPublicKey } from 'node:crypto';
import { verifyLog } from '@svc/operations/events/audit-log/verify-log.ts';
import { connect } from '@svc/postgres/connection/connect.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { RecordScene } from '@svc/testing/agents/record-scene.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';

/** DER of an Ed25519 public key before its 32 bytes. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

const publicKey = (verifierKey: string) => {
  const raw = Buffer.from(verifierKey.slice(-44), 'base64').subarray(1);
  return createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' });
};

/**
 * Verifies the whole log as `verifyAuditEvents` does, in this process: some mutations lock the caller out of the API, and each call of it adds an
 * event to the log.
 */
export const openVerifier = async ({ planes, governed }: RecordScene) => {
  const { organization_id } = governed.tenant;
  const { keys } = (await governed.owner('GET', '/v1/audit-log')).json;
  const [, installationId = ''] = /^[^/]+\/([^/]+)\//.exec(keys[0].verifier_key) ?? [];
  const app = connect({ url: planes.database.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 1, timeoutMs: 60_000 });
  const log = {
    organizationId: organization_id,
    installationId,
    keys: keys.map(({ verifier_key }: { verifier_key: string }) => publicKey(verifier_key)),
  };
  return {
    verify: () => verifyLog((work) => readInTenant(app, { organization_id }, work), log, 0),
    close: () => app.destroy(),
  };
};
