import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findCredential } from '@svc/postgres/credentials/credentials.ts';
import type { CredentialsDeps } from '../deps.ts';
import { formatCredential } from './formats/format-credential.ts';

export const getCredential: Handler<Endpoints['getCredential'], CredentialsDeps> = async (call, { urls }) => {
  const { database, scope, params, now } = call;
  const key = { organization_id: scope.organization_id, id: params.credentialId };
  const told = await searchInTenant(database, scope, async (tx) => {
    const row = await findCredential(tx, key);
    return row && formatCredential(tx, scope.organization_id, row, { now, baseUrl: urls.base });
  });
  return told ?? call.refuse('NOT_FOUND');
};
