import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { changeIntegration, lockIntegration } from '@svc/postgres/tools/integrations/integrations.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { findArchivedRefusal } from '../../tenancy/environments/archived-refusal.ts';
import type { SetUp } from './set-up.ts';
import { type ProposalRows, storeProposals } from './store-proposals.ts';

type UpdateIntegrationRequest = CallContext & {
  readonly integrationId: string;
  readonly body: Pick<EndpointBody<Endpoints['updateIntegration']>, 'name'>;
  /** Keys of actions that become tools. */
  readonly added: readonly string[];
  /** The entry with the new values and its proposals; undefined if values, actions and the entry are unchanged. */
  readonly refilled: (Pick<SetUp, 'entry' | 'filled'> & { readonly proposals: ProposalRows }) | undefined;
};

/** Stores the changed members of an integration, and its entry as the newest import of its source. Tools are applied from it afterwards. */
export const updateIntegration = async (
  { tx, emit }: Change<Extract<EmittedBy<Endpoints['updateIntegration']>, 'integration.updated'>>,
  request: UpdateIntegrationRequest,
) => {
  const { scope, now, integrationId, body, added, refilled } = request;
  const key = { organization_id: scope.organization_id, id: integrationId };
  const before = await lockIntegration(tx, key);
  if (!before) return buildRefusal('NOT_FOUND');
  if (before.status !== 'ACTIVE') return buildRefusal('INVALID_STATE_TRANSITION', 'The integration was removed.');
  const archived = await findArchivedRefusal(tx, key.organization_id, before.environment_id);
  if (archived) return archived;
  const kept = refilled && (await storeProposals(tx, request, refilled.entry, before, refilled.proposals));
  if (isRefusal(kept)) return kept;
  const after = {
    name: body.name ?? before.name,
    entry_version: refilled?.entry.version ?? before.entry_version,
    values: refilled?.filled ?? before.values,
    import_id: kept?.id ?? before.import_id,
  };
  await changeIntegration(tx, key, { ...after, values: JSON.stringify(after.values), updated_at: now });
  const shown = ({ name, entry_version, values, import_id }: typeof after) => ({ name, entry_version, values, import_id });
  emit('integration.updated', { ...about.integration(before), data: { before: shown(before), after: shown(after), added: [...added] } });
  return { import_id: kept?.id, credential_id: before.credential_id };
};
