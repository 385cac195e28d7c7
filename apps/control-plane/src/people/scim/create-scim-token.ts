import type { Endpoints } from '@svc/contract/endpoints.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { setScimToken } from '@svc/postgres/people/scim/settings.ts';
import type { ControlDeps } from '../../deps.ts';
import { refusePart } from '../sso/connections/refuse-part.ts';
import { scimBase } from './resources/base-url.ts';

export const createScimToken: Handler<Endpoints['createScimToken'], ControlDeps> = async (call, deps) => {
  const part = refusePart(call.scope);
  if (part) return part;
  return call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    const token = newSecretToken(SECRET_PREFIXES.scim);
    await setScimToken(tx, organization_id, hashSecret(token), call.now);
    emit('scim.configuration_updated', { ...about.organization({ id: organization_id }), data: { change: 'token_made' } });
    return { token, base_url: scimBase(deps) };
  });
};
