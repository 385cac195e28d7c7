import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { deleteSsoConnection as remove } from '@svc/operations/people/sso/delete-sso-connection.ts';
import { refusePart } from '@svc/operations/people/sso/refuse-part.ts';
import type { PeopleDeps } from '../deps.ts';

export const deleteSsoConnection: Handler<Endpoints['deleteSsoConnection'], PeopleDeps> = async (call, deps) => {
  const part = refusePart(call.scope);
  if (part) return part;
  return call.change((change) =>
    remove(
      change,
      {
        ...asActing(call),
        connectionId: call.params.connectionId,
        sourceIp: call.sourceIp,
        newId: call.newId,
        organizationName: call.caller.organizationName,
      },
      deps,
    ),
  );
};
