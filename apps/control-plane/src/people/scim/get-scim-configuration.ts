import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatConfiguration } from '@svc/operations/people/scim/format-configuration.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { readScimSettings } from '@svc/postgres/people/scim/settings.ts';
import type { PeopleDeps } from '../deps.ts';

export const getScimConfiguration: Handler<Endpoints['getScimConfiguration'], PeopleDeps> = async ({ scope, database }, deps) =>
  formatConfiguration(
    await readInTenant(database, scope, (tx) => inWholeOrganization(tx, scope, () => readScimSettings(tx, scope.organization_id))),
    deps,
  );
