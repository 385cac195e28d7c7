import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { readScimSettings, setScimToken } from '@svc/postgres/people/scim/settings.ts';
import type { CallContext } from '../auth/acting.ts';
import { formatConfiguration } from './format-configuration.ts';

export const revokeScimToken = async (
  { tx, emit }: Change<'scim.configuration_updated'>,
  request: CallContext,
  deps: { readonly urls: { readonly base: string } },
) => {
  const { organization_id } = request.scope;
  await setScimToken(tx, organization_id, null, request.now);
  emit('scim.configuration_updated', { ...about.organization({ id: organization_id }), data: { change: 'token_revoked' } });
  return formatConfiguration(await readScimSettings(tx, organization_id), deps);
};
