import type { KeyObject } from 'node:crypto';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { countIntegrations, findIntegration, insertIntegration, isSourceTaken } from '@svc/postgres/tools/integrations/integrations.ts';
import { readProposals } from '@svc/postgres/tools/tool-imports/proposals.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import { createCredential } from '../../credentials/credentials/create-credential.ts';
import type { CredentialSecret } from '../../credentials/tokens/read-client-proofs.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { registerTools, type ToolRegistration } from '../tool-imports/register-tools.ts';
import { asIntegration } from './as-integration.ts';
import { getChosenDeclarations, type SetUp } from './set-up.ts';
import { type ProposalRows, storeProposals } from './store-proposals.ts';

type Row = Endpoints['createIntegration'];

type CreateIntegrationRequest = CallContext & {
  readonly body: EndpointBody<Row>;
  readonly setUp: SetUp;
  /** The secret of the new credential; undefined if the request names a stored one. */
  readonly given: CredentialSecret | undefined;
  readonly proposals: ProposalRows;
};

const { perOrganizationMax } = LIMITS.integrations;
const FULL = `An organization has at most ${perOrganizationMax} integrations, including removed ones.`;
const TAKEN = 'Tools of this environment have this source already: send another one.';

const readCredentialId = async (
  change: Change<EmittedBy<Row>>,
  request: CreateIntegrationRequest,
  deps: { readonly credentialKey: KeyObject },
) => {
  const { body, setUp, given } = request;
  if (setUp.credential === undefined || given === undefined) return body.credential_id;
  const made = await createCredential(change, { ...request, body: setUp.credential }, given, deps);
  return isRefusal(made) ? made : made.id;
};

/** Stores the credential of an application and registers the chosen actions as tools, in one transaction. */
export const createIntegration = async (
  change: Change<EmittedBy<Row>>,
  request: CreateIntegrationRequest,
  deps: { readonly credentialKey: KeyObject },
) => {
  const { tx, emit } = change;
  const { scope, actor, now, body, setUp } = request;
  const { organization_id } = scope;
  const environment = await findEnvironment(tx, organization_id, body.environment_id);
  if (!environment) return buildRefusal('NOT_FOUND', 'The environment does not exist.');
  const place = { organization_id, workspace_id: environment.workspace_id, environment_id: environment.id, source: setUp.source };
  const kept = await storeProposals(tx, request, setUp.entry, place, request.proposals);
  if (isRefusal(kept)) return kept;
  if (await isSourceTaken(tx, place)) return buildRefusal('ALREADY_EXISTS', TAKEN);
  const existing = await inWholeOrganization(tx, scope, () => countIntegrations(tx, organization_id));
  if (existing >= perOrganizationMax) return buildRefusal('UNPROCESSABLE', FULL);
  const credential_id = await readCredentialId(change, request, deps);
  if (isRefusal(credential_id)) return credential_id;
  if (credential_id === undefined) return buildRefusal('UNPROCESSABLE', 'The application has no credential.');
  const stored = new Map((await readProposals(tx, kept, setUp.keys)).map((proposal) => [proposal.name, proposal]));
  const taking = getChosenDeclarations(setUp, environment.id).flatMap((declared): ToolRegistration[] => {
    const proposal = stored.get(declared.name);
    if (!proposal?.declaration || !declared.execution) return [];
    return [{ proposal, declaration: proposal.declaration, body: { ...declared, execution: { ...declared.execution, credential_id } } }];
  });
  const results = await registerTools(change, request, kept, taking);
  if (isRefusal(results)) return results;
  const failed = results.find(({ outcome }) => outcome !== 'CREATED');
  if (failed) return buildRefusal(refusedCode(failed.code), `${setUp.source}.${failed.key}: ${failed.message ?? ''}`, failed.details);
  const id = newId('integration');
  const { entry, filled, name, source } = setUp;
  await insertIntegration(tx, {
    ...place,
    id,
    application: entry.key,
    name,
    entry_version: entry.version,
    values: JSON.stringify(filled),
    credential_id,
    import_id: kept.id,
    created_by: actor.id,
    created_at: now,
    updated_at: now,
  });
  const actions = results.map(({ key }) => key);
  emit('integration.created', {
    ...about.integration({ ...place, id }),
    data: { after: { application: entry.key, entry_version: entry.version, name, source, credential_id, actions } },
  });
  const made = await findIntegration(tx, { organization_id, id });
  return made ? asIntegration(made) : buildRefusal('NOT_FOUND');
};

const REFUSED = ['ALREADY_EXISTS', 'INVALID_CREDENTIAL_REFERENCE'] as const;

const refusedCode = (code: string | null): (typeof REFUSED)[number] | 'UNPROCESSABLE' =>
  REFUSED.find((each) => each === code) ?? 'UNPROCESSABLE';
