import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { createCredential as create } from '@svc/operations/credentials/credentials/create-credential.ts';
import { readCredential } from '@svc/operations/credentials/credentials/read-credential.ts';
import type { CredentialsDeps } from '../deps.ts';
import { formatCredential } from './formats/format-credential.ts';

const TAKEN = 'A credential of this name exists in this environment, or did: names of revoked ones are not given again.';

export const createCredential: Handler<Endpoints['createCredential'], CredentialsDeps> = (call, deps) => {
  const { body, scope, now } = call;
  const given = readCredential(body, deps.settings.credentialsOverHttp);
  if (isRefusal(given)) return given;
  return call.change(
    async (change) => {
      const made = await create(change, { ...asActing(call), body }, given, deps);
      return isRefusal(made) ? made : formatCredential(change.tx, scope.organization_id, made, { now, baseUrl: deps.urls.base });
    },
    { credentials_name_is_unique: () => call.refuse('ALREADY_EXISTS', TAKEN) },
  );
};
