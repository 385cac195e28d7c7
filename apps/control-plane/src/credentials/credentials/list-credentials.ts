import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listCredentials as readCredentials } from '@svc/postgres/credentials/credentials.ts';
import type { ControlDeps } from '../../deps.ts';
import { toldCredentials } from './told/told-credential.ts';

export const listCredentials: Handler<Endpoints['listCredentials'], ControlDeps> = ({ database, scope, now }, { urls }) =>
  readInTenant(database, scope, async (tx) =>
    toldCredentials(tx, scope.organization_id, await readCredentials(tx, scope.organization_id), { now, baseUrl: urls.base }),
  );
