import type { KeyObject } from 'node:crypto';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createFullRefusal } from '@svc/domain/tenancy/organization/full-refusal.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { countRuntimes, findRuntime, insertRuntime, takeRuntimeTurn } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { RUNTIME_KIND_ROWS } from '@svc/runtimes/kinds.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { hasFreshStepUp, stepUpRefusal } from '../../people/auth/step-up.ts';
import { findArchivedRefusal } from '../../tenancy/environments/archived-refusal.ts';
import { createApiKey } from './store-api-key.ts';
import { findBaseUrlFault, getNormalBaseUrl } from './url-fault.ts';

type Body = EndpointBody<Endpoints['registerRuntime']>;

const { perOrganizationMax, perAgentMax } = LIMITS.runtimes;
const FULL = `An organization has at most ${perOrganizationMax} runtimes: disconnect and remove one first.`;

/** Returns what is wrong with the combination of members; undefined if nothing is. */
const registrationFault = (body: Body): Refusal<'VALIDATION_FAILED'> | undefined => {
  const row = RUNTIME_KIND_ROWS[body.kind];
  const connects = row.inspection.by === 'instance';
  const products: readonly string[] = row.products;
  if (body.product !== undefined && !products.includes(body.product))
    return refuseBody('/product', `must be one of ${products.join(', ')}`);
  if (body.base_url !== undefined && !connects) return refuseBody('/base_url', 'is for kinds that the service connects to');
  if (body.base_url === undefined && connects) return refuseBody('/base_url', 'is required for this kind');
  const fault = body.base_url === undefined ? undefined : findBaseUrlFault(body.base_url);
  if (fault !== undefined) return refuseBody('/base_url', fault);
  if (body.api_key !== undefined && body.base_url === undefined) return refuseBody('/api_key', 'needs base_url');
  if (row.refusesAccess !== undefined && body.admin_access === row.refusesAccess)
    return refuseBody('/admin_access', 'does not permit verification, which this kind needs');
  return undefined;
};

/** Returns why an agent cannot run in a runtime of an environment; undefined if it can. */
export const findAgentFault = async (
  tx: TenantTransaction,
  organizationId: string,
  agentId: string | null,
  environmentId: string,
): Promise<Refusal<'VALIDATION_FAILED' | 'UNPROCESSABLE'> | undefined> => {
  if (agentId === null) return undefined;
  const agent = await findAgent(tx, organizationId, agentId);
  if (!agent || agent.environment_id !== environmentId)
    return refuseBody('/agent_id', 'There is no such agent in the environment of the runtime.');
  const there = await countRuntimes(tx, organizationId, agentId);
  return there >= perAgentMax
    ? createFullRefusal('runtimes of the agent', there + 1, perAgentMax, `An agent has at most ${perAgentMax} runtimes.`)
    : undefined;
};

type RegisterRequest = CallContext & { readonly body: Body; readonly steppedUpUntil: string | null };

/** Registers a runtime with the status UNKNOWN. A taken name violates `runtimes_name_is_unique`. */
export const registerRuntime = async (
  change: Change<EmittedBy<Endpoints['registerRuntime']>>,
  request: RegisterRequest,
  id: string,
  { credentialKey }: { readonly credentialKey: KeyObject },
) => {
  const { tx, emit } = change;
  const { scope, actor, now, body } = request;
  const { organization_id } = scope;
  const fault = registrationFault(body);
  if (fault) return fault;
  if (body.admin_access === 'OPERATE' && !hasFreshStepUp(request, now)) return stepUpRefusal(request);
  const environment = await findEnvironment(tx, organization_id, body.environment_id);
  if (!environment) return buildRefusal('NOT_FOUND', 'The environment does not exist.');
  if (environment.workspace_id !== body.workspace_id) return refuseBody('/workspace_id', 'is not the workspace of the environment');
  const archived = await findArchivedRefusal(tx, organization_id, environment.id);
  if (archived) return archived;
  await takeRuntimeTurn(tx, organization_id);
  const there = await inWholeOrganization(tx, scope, () => countRuntimes(tx, organization_id));
  if (there >= perOrganizationMax) return createFullRefusal('runtimes', there + 1, perOrganizationMax, FULL);
  const { agent_id = null, fail_closed = true, admin_access = 'READ', settings = {}, kind, name } = body;
  const unusable = await findAgentFault(tx, organization_id, agent_id, environment.id);
  if (unusable) return unusable;
  const base_url = body.base_url === undefined ? null : getNormalBaseUrl(body.base_url);
  const place = { workspace_id: environment.workspace_id, environment_id: environment.id };
  const credential_id =
    body.api_key === undefined
      ? null
      : await createApiKey(change, request, { id, name, kind, base_url, ...place }, body.api_key, credentialKey);
  if (isRefusal(credential_id)) return credential_id;
  const product = body.product ?? RUNTIME_KIND_ROWS[kind].products[0] ?? '';
  const settled = { name, kind, product, agent_id, base_url, fail_closed, admin_access, credential_id };
  await insertRuntime(tx, {
    ...{ organization_id, id, ...place, ...settled, settings: JSON.stringify(settings) },
    evidence_since: now,
    enforcement_forecast: JSON.stringify([{ from: now.toISOString(), status: 'UNKNOWN' }]),
    enforcement_reasons: JSON.stringify([{ at_most: 'UNKNOWN', why: 'It was never verified.' }]),
    next_verification_at: credential_id === null ? null : now,
    ...{ created_by: actor.id, created_at: now, updated_at: now },
  });
  emit('integration.created', { ...about.runtime({ id, ...place }), data: { after: { ...settled, settings, status: 'ACTIVE' } } });
  return (await findRuntime(tx, organization_id, id)) ?? buildRefusal('NOT_FOUND');
};
