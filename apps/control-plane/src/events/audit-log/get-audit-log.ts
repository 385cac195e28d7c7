import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getLogOrigin } from '@svc/keyring/log/audit-log.ts';
import { computeRoot, EMPTY_TREE } from '@svc/keyring/log/merkle.ts';
import { writeVerifierKey } from '@svc/keyring/log/signed-note.ts';
import { findTree } from '@svc/postgres/audit/log/read-log.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { EventsDeps } from '../deps.ts';

export const getAuditLog: Handler<Endpoints['getAuditLog'], EventsDeps> = async (call, deps) => {
  const { organization_id } = call.scope;
  const tree = await readInTenant(call.database, call.scope, (tx) => findTree(tx, organization_id));
  const origin = getLogOrigin(deps.installationId, organization_id);
  // The checkpoint may be signed with a key that was created after this plane started.
  await deps.platformKeys.renew();
  const { keys, published, retired } = deps.platformKeys;
  return {
    origin,
    size: tree?.size ?? 0,
    root_hash: (tree?.root_hash ?? computeRoot(EMPTY_TREE)).toString('base64'),
    sealed_at: tree?.sealed_at ?? null,
    held_since: tree?.held_since ?? null,
    keys: [...published.map((each) => ({ ...each, retired_at: null })), ...retired].flatMap(({ kid, public_key, retired_at }) => {
      const key = keys.ofLog.get(kid);
      return key === undefined ? [] : [{ key_id: kid, public_key, verifier_key: writeVerifierKey(origin, key), retired_at }];
    }),
  };
};
