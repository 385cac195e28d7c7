import type { Endpoints } from '@svc/contract/endpoints.ts';
import { copyFlow } from '@svc/domain/risk/contexts/copy-flow.ts';
import { NO_FLOW } from '@svc/domain/risk/contexts/flow-context.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findToolFlow } from '@svc/postgres/risk/tool-flow.ts';
import type { RiskDeps } from '../deps.ts';

export const getToolFlow: Handler<Endpoints['getToolFlow'], RiskDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const tool = await findToolFlow(tx, call.scope.organization_id, call.params.toolId);
    return tool === undefined ? call.refuse('NOT_FOUND') : copyFlow({ ...NO_FLOW, ...tool.flow });
  });
