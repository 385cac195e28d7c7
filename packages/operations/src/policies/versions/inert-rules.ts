import type { VersionBody } from '@svc/contract/policies/language.ts';
import { INERT_WARNING_KINDS, type PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { approverWarnings, type Staff } from '@svc/domain/actions/approvals/approver-warnings.ts';
import { unknownFields } from '@svc/policy/analyse/unknown-fields.ts';
import { valuesNeverHeld } from '@svc/policy/analyse/values-never-held.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { readStaff } from '@svc/postgres/people/roles.ts';

const INERT: ReadonlySet<string> = new Set(INERT_WARNING_KINDS);
const SHOWN_MAX = 100;

/** What of a version does nothing of what it says, in the order of its rules: what they read or compare with is never there, or nobody could approve. */
export const inertRules = (body: VersionBody, staff: Staff): PolicyWarning[] => {
  const place = new Map(body.rules.map(({ id }, index) => [id, index]));
  const placeOf = ({ rule_id }: PolicyWarning): number => place.get(rule_id) ?? place.size;
  return [...unknownFields(body), ...valuesNeverHeld(body), ...approverWarnings(body.rules, staff)].toSorted(
    (one, other) => placeOf(one) - placeOf(other),
  );
};

export type Accepted = readonly Pick<PolicyWarning, 'kind' | 'rule_id' | 'pointer'>[];

/**
 * What comes into force although it does nothing, since the caller said so: for the event to tell. A refusal that says what does nothing
 * where the caller did not. Asked at that moment, since people come and go.
 */
export const acceptedInert = async (
  tx: TenantTransaction,
  organizationId: string,
  version: { readonly id: string; readonly version_number: number; readonly body: VersionBody },
  accepts: boolean | undefined,
): Promise<Accepted | Refusal<'INVALID_POLICY'>> => {
  const found = inertRules(version.body, await readStaff(tx, organizationId)).filter(({ kind }) => INERT.has(kind));
  const shown = found.slice(0, SHOWN_MAX);
  if (found.length === 0 || accepts === true) return shown.map(({ kind, rule_id, pointer }) => ({ kind, rule_id, pointer }));
  return refusal('INVALID_POLICY', 'Some rules of this version have no effect. Correct them, or send "accept_warnings": true.', {
    version_id: version.id,
    version_number: version.version_number,
    faults: shown.map(({ pointer, message }) => ({ pointer, message })),
    warnings: shown,
  });
};

/** The member of an event that says what was accepted; nothing where nothing had to be. */
export const toldAccepted = (accepted: Accepted): { readonly accepted_warnings?: Accepted } =>
  accepted.length === 0 ? {} : { accepted_warnings: accepted };
