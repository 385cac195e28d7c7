import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { removeIntegration as remove } from '@svc/operations/tools/integrations/remove-integration.ts';
import type { ToolsDeps } from '../deps.ts';

export const removeIntegration: Handler<Endpoints['removeIntegration'], ToolsDeps> = (call) =>
  call.change((change) => remove(change, { ...asActing(call), integrationId: call.params.integrationId }));
