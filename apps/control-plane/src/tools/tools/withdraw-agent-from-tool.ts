import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { withdrawAgentFromTool as withdraw } from '@svc/operations/tools/tools/withdraw-agent-from-tool.ts';
import type { ToolsDeps } from '../deps.ts';

export const withdrawAgentFromTool: Handler<Endpoints['withdrawAgentFromTool'], ToolsDeps> = (call) =>
  call.change((change) => withdraw(change, { ...asActing(call), toolId: call.params.toolId, agentId: call.params.agentId }));
