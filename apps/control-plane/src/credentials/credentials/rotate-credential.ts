import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { rotateCredential as rotate } from '@svc/operations/credentials/credentials/rotate-credential.ts';
import type { CredentialsDeps } from '../deps.ts';
import { formatCredential } from './formats/format-credential.ts';

export const rotateCredential: Handler<Endpoints['rotateCredential'], CredentialsDeps> = (call, deps) => {
  const { body, scope, params, now } = call;
  return call.change(async (change) => {
    const rotated = await rotate(change, { ...asActing(call), credentialId: params.credentialId, body }, deps);
    return isRefusal(rotated) ? rotated : formatCredential(change.tx, scope.organization_id, rotated, { now, baseUrl: deps.urls.base });
  });
};
