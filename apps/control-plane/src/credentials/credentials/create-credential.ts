import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { CredentialTerms } from '@svc/domain/credentials/credential-terms.ts';
import { withoutValue } from '@svc/domain/credentials/extras.ts';
import { secretFaults } from '@svc/domain/credentials/oauth-faults.ts';
import { extraFaults, placementFaults, repeatedPrefixFaults } from '@svc/domain/credentials/placement-faults.ts';
import { fullRefusal } from '@svc/domain/tenancy/organization/full-refusal.ts';
import { parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { sealCredentialSecret } from '@svc/keyring/sealed/credential-secret.ts';
import { dataKeyOf } from '@svc/operations/service/keys/data-key-of.ts';
import { archivedRefusal } from '@svc/operations/tenancy/environments/archived-refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { countCredentials, insertCredential, takeCredentialTurn } from '@svc/postgres/credentials/credentials.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { CredentialsDeps } from '../deps.ts';
import { keepTokens } from './oauth/keep-tokens.ts';
import { type Kept, proofsOf } from './oauth/proofs.ts';
import { auditedCredential, toldCredential } from './told/told-credential.ts';

type CreateCredential = Endpoints['createCredential'];

const { perOrganizationMax } = LIMITS.credentials;
const FULL = `An organization has at most ${perOrganizationMax} credentials: revoke one first.`;
const TAKEN = 'A credential of this name exists in this environment, or did: names of revoked ones are not given again.';

/** What is sealed as its secret and kept of its terms; or why it is not stored. */
const readBody = (call: Call<CreateCredential>, allowsHttp: boolean): Kept | Refusal<'VALIDATION_FAILED'> => {
  const { scheme, placement = {}, extras = [], destinations, oauth, secret = '' } = call.body;
  const entries = destinations.flatMap((text, at) => {
    const entry = parseAllowlistEntry(text);
    return 'fault' in entry ? [{ pointer: `/destinations/${at}`, message: entry.fault }] : [];
  });
  const misplaced = placementFaults(scheme, placement);
  const faults = [
    ...misplaced,
    ...(misplaced.length > 0 ? [] : extraFaults(scheme, placement, extras)),
    ...entries,
    ...secretFaults(oauth, call.body, allowsHttp),
    ...repeatedPrefixFaults(scheme, placement, secret),
  ];
  if (faults.length > 0) return call.refuse('VALIDATION_FAILED', 'The credential is not valid.', { faults });
  if (oauth === undefined) return { secret, oauth: null };
  const kept = proofsOf(oauth, call.body);
  return 'pointer' in kept ? call.fault(kept.pointer, kept.message) : kept;
};

const readValues = ({ extras = [] }: Call<CreateCredential>['body']): readonly string[] => extras.map(({ secret }) => secret);

type Environment = { readonly id: string; readonly workspace_id: string };

const termsOf = (
  { scheme, placement = {}, extras = [], destinations, tools }: Call<CreateCredential>['body'],
  { id, workspace_id }: Environment,
  { oauth }: Kept,
): CredentialTerms => ({
  ...{ workspace_id, environment_id: id, scheme, placement, destinations, tools, oauth },
  extras: extras.map(withoutValue),
});

export const createCredential: Handler<CreateCredential, CredentialsDeps> = (call, { credentialKey, settings, urls }) => {
  const kept = readBody(call, settings.credentialsOverHttp);
  if (isRefusal(kept)) return kept;
  const { body, caller, scope, now } = call;
  const { organization_id } = scope;
  return call.change(
    async ({ tx, emit }) => {
      const environment = await findEnvironment(tx, organization_id, body.environment_id);
      if (!environment) return call.refuse('NOT_FOUND', 'There is no such environment.');
      const archived = await archivedRefusal(tx, organization_id, environment.id);
      if (archived) return archived;
      await takeCredentialTurn(tx, organization_id);
      // Those that the caller does not see count too.
      const there = await inWholeOrganization(tx, scope, () => countCredentials(tx, organization_id));
      if (there >= perOrganizationMax) return fullRefusal('credentials', there + 1, perOrganizationMax, FULL);
      const id = call.newId('credential');
      const dataKey = await dataKeyOf(tx, credentialKey, organization_id);
      const terms = termsOf(body, environment, kept);
      const made = await insertCredential(tx, {
        ...terms,
        organization_id,
        id,
        name: body.name,
        description: body.description ?? '',
        placement: JSON.stringify(terms.placement),
        extras: JSON.stringify(terms.extras),
        destinations: body.destinations,
        tools: body.tools,
        sealed_secret: sealCredentialSecret(
          dataKey,
          { secret: kept.secret, extras: readValues(body) },
          { ...terms, organization_id, id, generation: 1 },
        ),
        oauth: kept.oauth && JSON.stringify(kept.oauth),
        created_by: caller.actor.id,
        created_at: now,
        updated_at: now,
      });
      await keepTokens(tx, { made, dataKey, organization_id, refresh_token: body.refresh_token, by: caller.actor.id, now });
      emit('credential.created', { ...about.credential(made), data: { after: auditedCredential(made) } });
      return toldCredential(tx, organization_id, made, { now, baseUrl: urls.base });
    },
    { credentials_name_is_unique: () => call.refuse('ALREADY_EXISTS', TAKEN) },
  );
};
