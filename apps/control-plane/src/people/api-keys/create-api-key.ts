import type { Endpoints } from '@svc/contract/endpoints.ts';
import { readNetworks } from '@svc/domain/tenancy/organization/networks.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { createApiKey as create } from '@svc/operations/people/api-keys/create-api-key.ts';
import type { PeopleDeps } from '../deps.ts';

type CreateApiKey = Endpoints['createApiKey'];
export const createApiKey: Handler<CreateApiKey, PeopleDeps> = (call, deps) => {
  const { body } = call;
  if (body.workspace_id !== undefined && body.workspace_ids !== undefined)
    return call.fault('/workspace_ids', 'Send either workspace_id or workspace_ids, not both.');
  const networks = readNetworks(body.allowed_networks ?? []);
  if ('fault' in networks) return call.fault(`/allowed_networks/${networks.index}`, networks.fault);
  return call.change((change) =>
    create(
      change,
      {
        ...asActing(call),
        credentialId: call.caller.credentialId,
        lacks: call.lacks,
        email: call.caller.email,
        keysBehind: call.caller.keysBehind,
        body: call.body,
        sourceIp: call.sourceIp,
        newId: call.newId,
      },
      networks,
      deps,
    ),
  );
};
