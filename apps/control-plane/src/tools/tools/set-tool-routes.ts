import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { setToolRoutes as set } from '@svc/operations/tools/tools/set-tool-routes.ts';
import type { ToolsDeps } from '../deps.ts';

export const setToolRoutes: Handler<Endpoints['setToolRoutes'], ToolsDeps> = (call) =>
  call.change((change) => set(change, { ...asActing(call), ...call.params, ...call.body }));
