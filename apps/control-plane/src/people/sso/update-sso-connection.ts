import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { refusePart } from '@svc/operations/people/sso/refuse-part.ts';
import { updateSsoConnection as update } from '@svc/operations/people/sso/update-sso-connection.ts';
import type { PeopleDeps } from '../deps.ts';

type Update = Endpoints['updateSsoConnection'];

export const updateSsoConnection: Handler<Update, PeopleDeps> = async (call, deps) => {
  const part = refusePart(call.scope);
  if (part) return part;
  if (Object.keys(call.body).length === 0) return call.fault('', 'Name at least one member to change.');
  return call.change(
    (change) =>
      update(
        change,
        {
          ...asActing(call),
          connectionId: call.params.connectionId,
          body: call.body,
          sourceIp: call.sourceIp,
          newId: call.newId,
          organizationName: call.caller.organizationName,
        },
        deps,
      ),
    { sso_connections_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'A connection of this name exists.') },
  );
};
