import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { authorizeAgentForTool as authorize } from '@svc/operations/tools/tools/authorize-agent-for-tool.ts';
import type { ToolsDeps } from '../deps.ts';

export const authorizeAgentForTool: Handler<Endpoints['authorizeAgentForTool'], ToolsDeps> = (call) =>
  call.change((change) =>
    authorize(change, { ...asActing(call), toolId: call.params.toolId, body: call.body, steppedUpUntil: call.caller.steppedUpUntil }),
  );
