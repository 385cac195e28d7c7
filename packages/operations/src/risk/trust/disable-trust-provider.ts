import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { hasLoweringEvidence } from '@svc/postgres/risk/trust/trust-evidence.ts';
import {
  disableProviderRow,
  findTrustProvider,
  lockTrustProvider,
  type TrustProviderRow,
} from '@svc/postgres/risk/trust/trust-providers.ts';
import type { CallContext } from '../../people/auth/acting.ts';

export type DisablingProvider = CallContext & {
  readonly providerId: string;
  readonly reason: string;
  /** Refuses a caller who may not loosen. Called only if evidence of the provider lowers the level of an agent. */
  readonly refuseLoosening: () => Refusal<'STEP_UP_REQUIRED'> | undefined;
};

const NOT_DISABLED = { disabled_at: null, disabled_by: null, disabled_reason: null };

const PART = 'This call is limited to a part of the organization, and providers of trust evidence hold for all of it.';

/** Disables a provider. No decision counts its evidence from then on; a job revokes the pieces and writes an event for each. */
export const disableTrustProvider = async (
  { tx, emit }: Change<'trust.evidence_revoked'>,
  { scope, actor, now, providerId, reason, refuseLoosening }: DisablingProvider,
): Promise<TrustProviderRow | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION' | 'PERMISSION_DENIED' | 'STEP_UP_REQUIRED'>> => {
  const { organization_id } = scope;
  const provider = await lockTrustProvider(tx, organization_id, providerId);
  if (provider === undefined) return buildRefusal('NOT_FOUND');
  if (scope.workspace_ids || scope.environment_id) return buildRefusal('PERMISSION_DENIED', PART);
  if (provider.disabled_at !== null)
    return buildRefusal('INVALID_STATE_TRANSITION', 'The provider is disabled already.', {
      operation: 'disable',
      from: 'DISABLED',
      allowed_from: ['ACTIVE'],
    });
  const isLoosening = await hasLoweringEvidence(tx, organization_id, providerId, now);
  const refused = isLoosening ? refuseLoosening() : undefined;
  if (refused) return refused;
  await disableProviderRow(tx, organization_id, providerId, { now, by: actor.id, reason });
  emit('trust.evidence_revoked', {
    ...about.trust_provider(provider),
    ...(isLoosening ? { severity: 'critical' as const } : {}),
    data: {
      provider_id: providerId,
      reason,
      before: { status: 'ACTIVE', ...NOT_DISABLED },
      after: { status: 'DISABLED', disabled_at: now.toISOString(), disabled_by: actor.id, disabled_reason: reason },
    },
  });
  return (await findTrustProvider(tx, organization_id, providerId)) ?? buildRefusal('NOT_FOUND');
};
