import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { countImports, listImports } from '@svc/postgres/tools/tool-imports/tool-imports.ts';
import type { ToolsDeps } from '../deps.ts';
import { formatImports } from './formats/format-imports.ts';

export const listToolImports: Handler<Endpoints['listToolImports'], ToolsDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0 } = call.query;
  const { organization_id } = call.scope;
  return searchInTenant(call.database, call.scope, async (tx) => ({
    items: await formatImports(tx, await listImports(tx, organization_id, { limit, offset })),
    total: await countImports(tx, organization_id),
  }));
};
