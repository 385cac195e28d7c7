import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { readScimSettings, setScimToken } from '@svc/postgres/people/scim/settings.ts';
import type { ControlDeps } from '../../deps.ts';
import { refusePart } from '@svc/operations/people/sso/refuse-part.ts';
import { toldConfiguration } from '@svc/operations/people/scim/told-configuration.ts';

export const revokeScimToken: Handler<Endpoints['revokeScimToken'], ControlDeps> = async (call, deps) => {
  const part = refusePart(call.scope);
  if (part) return part;
  return call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    await setScimToken(tx, organization_id, null, call.now);
    emit('scim.configuration_updated', { ...about.organization({ id: organization_id }), data: { change: 'token_revoked' } });
    return toldConfiguration(await readScimSettings(tx, organization_id), deps);
  });
};
