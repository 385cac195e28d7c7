import type { KeyObject } from 'node:crypto';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { CredentialTerms } from '@svc/domain/credentials/credential-terms.ts';
import { removeValue } from '@svc/domain/credentials/extras.ts';
import { createFullRefusal } from '@svc/domain/tenancy/organization/full-refusal.ts';
import { sealCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { countCredentials, insertCredential, takeCredentialTurn } from '@svc/postgres/credentials/credentials.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { readDataKey } from '../../service/keys/open-data-key.ts';
import { findArchivedRefusal } from '../../tenancy/environments/archived-refusal.ts';
import { insertFirstTokens } from '../tokens/insert-first-tokens.ts';
import type { CredentialSecret } from '../tokens/read-client-proofs.ts';
import { formatCredentialForAudit } from './audited-credential.ts';

type Body = EndpointBody<Endpoints['createCredential']>;

type CreateCredentialRequest = CallContext & { readonly body: Body };

const { perOrganizationMax } = LIMITS.credentials;
const FULL = `An organization has at most ${perOrganizationMax} credentials: revoke one first.`;

const readTerms = (
  { scheme, placement = {}, extras = [], destinations, tools = [], servers = [] }: Body,
  { id, workspace_id }: { readonly id: string; readonly workspace_id: string },
  { oauth }: CredentialSecret,
): CredentialTerms => ({
  ...{ workspace_id, environment_id: id, scheme, placement, destinations, tools, servers, oauth },
  extras: extras.map(removeValue),
});

/** Seals and stores a credential that `readCredential` accepted. */
export const createCredential = async (
  { tx, emit }: Change<'credential.created'>,
  { scope, actor, now, body }: CreateCredentialRequest,
  given: CredentialSecret,
  { credentialKey }: { readonly credentialKey: KeyObject },
) => {
  const { organization_id } = scope;
  const environment = await findEnvironment(tx, organization_id, body.environment_id);
  if (!environment) return buildRefusal('NOT_FOUND', 'The environment does not exist.');
  const archived = await findArchivedRefusal(tx, organization_id, environment.id);
  if (archived) return archived;
  await takeCredentialTurn(tx, organization_id);
  // Credentials that the caller cannot see count too.
  const existing = await inWholeOrganization(tx, scope, () => countCredentials(tx, organization_id));
  if (existing >= perOrganizationMax) return createFullRefusal('credentials', existing + 1, perOrganizationMax, FULL);
  const id = newId('credential');
  const dataKey = await readDataKey(tx, credentialKey, organization_id);
  const terms = readTerms(body, environment, given);
  const values = (body.extras ?? []).map(({ secret }) => secret);
  const binding = { ...terms, organization_id, id, generation: 1 };
  const made = await insertCredential(tx, {
    ...terms,
    organization_id,
    id,
    name: body.name,
    description: body.description ?? '',
    placement: JSON.stringify(terms.placement),
    extras: JSON.stringify(terms.extras),
    destinations: [...terms.destinations],
    tools: [...terms.tools],
    servers: [...terms.servers],
    sealed_secret: sealCredentialSecret(dataKey, { secret: given.secret, extras: values }, binding),
    oauth: given.oauth && JSON.stringify(given.oauth),
    created_by: actor.id,
    created_at: now,
    updated_at: now,
  });
  await insertFirstTokens(tx, { made, dataKey, organization_id, refresh_token: body.refresh_token, by: actor.id, now });
  emit('credential.created', { ...about.credential(made), data: { after: formatCredentialForAudit(made) } });
  return made;
};
