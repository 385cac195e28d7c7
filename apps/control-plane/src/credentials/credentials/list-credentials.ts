import type { Endpoints } from '@svc/contract/endpoints.ts';
import { inOrder } from '@svc/domain/credentials/in-order.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listCredentials as readCredentials } from '@svc/postgres/credentials/credentials.ts';
import type { CredentialsDeps } from '../deps.ts';
import { formatCredentials } from './formats/format-credential.ts';

export const listCredentials: Handler<Endpoints['listCredentials'], CredentialsDeps> = async (
  { database, scope, now, query },
  { urls },
) => {
  const { order = 'oldest', limit: _, offset: __, ...filter } = query;
  const { organization_id } = scope;
  const told = await searchInTenant(database, scope, async (tx) =>
    formatCredentials(tx, organization_id, await readCredentials(tx, organization_id, filter), { now, baseUrl: urls.base }),
  );
  return [...inOrder(told, order)];
};
