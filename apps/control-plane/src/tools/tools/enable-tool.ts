import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { enableTool as enable } from '@svc/operations/tools/tools/enable-tool.ts';
import type { ToolsDeps } from '../deps.ts';

export const enableTool: Handler<Endpoints['enableTool'], ToolsDeps> = (call) =>
  call.change((change) => enable(change, { ...asActing(call), body: call.body, toolId: call.params.toolId }));
