import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listCredentials as readCredentials } from '@svc/postgres/credentials/credentials.ts';
import type { ControlDeps } from '../../deps.ts';
import { toldCredential } from './told/told-credential.ts';

export const listCredentials: Handler<Endpoints['listCredentials'], ControlDeps> = async ({ database, scope, now }) => {
  const rows = await readInTenant(database, scope, (tx) => readCredentials(tx, scope.organization_id));
  return rows.map((row) => toldCredential(row, now));
};
