import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listStoredVersions } from '@svc/postgres/tools/tool-versions.ts';
import { findTool } from '@svc/postgres/tools/tools.ts';
import type { ToolsDeps } from '../deps.ts';
import { getCurrentDeclaration } from './declaration/current-declaration.ts';

/** Lists the versions of a tool, paginated; a tool that never changed has one, its current declaration. */
export const listToolVersions: Handler<Endpoints['listToolVersions'], ToolsDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0 } = call.query;
  return readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const tool = await findTool(tx, organization_id, call.params.toolId);
    if (!tool) return call.refuse('NOT_FOUND');
    const stored = await listStoredVersions(tx, organization_id, tool.id, { limit, offset });
    // A tool that never changed has no stored versions: its declaration is in the row of the tool.
    const isFirst = stored.rows.length === 0 && stored.total === 0;
    return formatListSection(isFirst ? { rows: offset === 0 ? [getCurrentDeclaration(tool)] : [], total: 1, hasMore: false } : stored);
  });
};
