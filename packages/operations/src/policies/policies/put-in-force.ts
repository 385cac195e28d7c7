import type { Policy } from '@svc/contract/policies/policies.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { EventDetails } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findPolicy, touchPolicy } from '@svc/postgres/policies/policies/policies.ts';
import { supersedeActiveVersion } from '@svc/postgres/policies/versions.ts';
import { asPolicySource } from '../versions/as-policy-source.ts';
import { type Accepted, formatAcceptedWarnings, listAcceptedWarnings } from '../versions/inert-rules.ts';
import { findActivationRefusal } from './activation-refusal.ts';
import { findInForceRefusal } from './in-force-refusal.ts';
import type { EditablePolicy } from './lock-editable-policy.ts';

type Version = Parameters<typeof asPolicySource>[1];

/** `before` is the previous version in force; `accepted` lists parts of this one that have no effect. */
type Forced = { readonly before: number | null; readonly accepted: Accepted; readonly policy: Policy };

/**
 * Puts a version in force, for both activation and rollback, with every check on it. The policy is locked: the checked version is the one
 * put in force. `write` activates it; a later refusal rolls that back.
 */
export const putInForce = async (
  {
    tx,
    emit,
  }: { readonly tx: TenantTransaction; readonly emit: (type: 'policy.test_run' | 'policy.validated', details: EventDetails) => void },
  { organization_id, now }: { readonly organization_id: string; readonly now: Date },
  policy: EditablePolicy,
  version: Version,
  { accepts, write }: { readonly accepts: boolean | undefined; readonly write: () => Promise<void> },
): Promise<Forced | Refusal<'INVALID_POLICY' | 'UNPROCESSABLE' | 'NOT_FOUND'>> => {
  const refused = await findActivationRefusal(asPolicySource(policy, version));
  if (refused) return refused;
  const accepted = await listAcceptedWarnings(tx, organization_id, { version, bindings: policy.bindings }, accepts);
  if (isRefusal(accepted)) return accepted;
  const before = await supersedeActiveVersion(tx, organization_id, policy.id);
  await write();
  const tooMuch = await findInForceRefusal(tx, organization_id);
  if (tooMuch) return tooMuch;
  await touchPolicy(tx, organization_id, policy.id, { suspended_at: null, now });
  const { id: version_id, version_number } = version;
  emit('policy.test_run', {
    ...about.policy(policy, policy.place),
    data: { version_id, version_number, passed: version.body.tests.length, failed: 0 },
  });
  emit('policy.validated', {
    ...about.policy(policy, policy.place),
    data: { version_id, version_number, rules: version.body.rules.length, ...formatAcceptedWarnings(accepted) },
  });
  const found = await findPolicy(tx, organization_id, policy.id);
  return found ? { before, accepted, policy: found } : buildRefusal('NOT_FOUND');
};
