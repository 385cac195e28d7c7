import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { disableTool as disable } from '@svc/operations/tools/tools/disable-tool.ts';
import type { ToolsDeps } from '../deps.ts';

export const disableTool: Handler<Endpoints['disableTool'], ToolsDeps> = (call) =>
  call.change((change) => disable(change, { ...asActing(call), body: call.body, toolId: call.params.toolId }));
