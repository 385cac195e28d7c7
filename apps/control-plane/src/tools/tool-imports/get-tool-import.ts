import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findImport } from '@svc/postgres/tools/tool-imports/tool-imports.ts';
import type { ToolsDeps } from '../deps.ts';
import { formatImports } from './formats/format-imports.ts';

/** Handles GET of one tool import by its id. */
export const getToolImport: Handler<Endpoints['getToolImport'], ToolsDeps> = async (call) => {
  const { organization_id } = call.scope;
  const [found] = await searchInTenant(call.database, call.scope, async (tx) => {
    const row = await findImport(tx, { organization_id, id: call.params.importId });
    return row ? formatImports(tx, [row]) : [];
  });
  return found ?? call.refuse('NOT_FOUND');
};
