import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatPart } from '@svc/http/lists/listed-part.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listKeptVersions } from '@svc/postgres/tools/tool-versions.ts';
import { findTool } from '@svc/postgres/tools/tools.ts';
import type { ToolsDeps } from '../deps.ts';
import { getCurrentDeclaration } from './declaration/standing-version.ts';

export const listToolVersions: Handler<Endpoints['listToolVersions'], ToolsDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0 } = call.query;
  return readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const tool = await findTool(tx, organization_id, call.params.toolId);
    if (!tool) return call.refuse('NOT_FOUND');
    const kept = await listKeptVersions(tx, organization_id, tool.id, { limit, offset });
    // A tool that never changed has no stored versions: its declaration is in the row of the tool.
    const isFirst = kept.rows.length === 0 && kept.total === 0;
    return formatPart(isFirst ? { rows: offset === 0 ? [getCurrentDeclaration(tool)] : [], total: 1, hasMore: false } : kept);
  });
};
