import type { VersionBody } from '@svc/contract/policies/language.ts';
import { INERT_WARNING_KINDS, type PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { listApproverWarnings, type Staff } from '@svc/domain/actions/approvals/approver-warnings.ts';
import { type LabelValues, labelsNoAgentHas, labelsRead } from '@svc/policy/analyse/labels-no-agent-has.ts';
import { rulesThatNeverMatch } from '@svc/policy/analyse/rules-that-never-match.ts';
import { undelegatedLimits } from '@svc/policy/analyse/undelegated-limits.ts';
import { warnOfUnknownFields } from '@svc/policy/analyse/unknown-fields.ts';
import { valuesNeverHeld } from '@svc/policy/analyse/values-never-held.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { readStaff } from '@svc/postgres/people/roles.ts';
import type { StoredBinding } from '@svc/postgres/policies/policies/policy-bindings.ts';
import { readLabelValues, readUndelegatedEnvironments } from '@svc/postgres/policies/policies/reach.ts';
import { readToolsInReach } from '@svc/postgres/policies/policies/tools-in-reach.ts';

const INERT: ReadonlySet<string> = new Set(INERT_WARNING_KINDS);
const SHOWN_MAX = 100;

/** People, labels and environments that decide which parts of a version have an effect. `labels` is null if they are not compared. */
export type RuleReach = { readonly staff: Staff; readonly labels: LabelValues | null; readonly undelegated: readonly string[] };

type Bindings = readonly Pick<StoredBinding, 'scope' | 'target_id'>[];

export const readRuleReach = async (
  tx: TenantTransaction,
  organizationId: string,
  bindings: Bindings,
  body: VersionBody,
): Promise<RuleReach> => ({
  staff: await readStaff(tx, organizationId),
  labels: await readLabelValues(tx, organizationId, labelsRead(body)),
  undelegated: await readUndelegatedEnvironments(tx, organizationId, bindings),
});

/**
 * Returns warnings about parts of a version without effect, in the order of its rules: values that no request has, approvals that no one
 * can grant.
 */
export const listInertRules = (body: VersionBody, { staff, labels, undelegated }: RuleReach): PolicyWarning[] => {
  const place = new Map(body.rules.map(({ id }, index) => [id, index]));
  const getPlace = ({ rule_id }: PolicyWarning): number => place.get(rule_id) ?? place.size;
  return [
    ...warnOfUnknownFields(body),
    ...valuesNeverHeld(body),
    ...(labels === null ? [] : labelsNoAgentHas(body, labels)),
    ...undelegatedLimits(body, undelegated),
    ...listApproverWarnings(body.rules, staff),
  ].toSorted((one, other) => getPlace(one) - getPlace(other));
};

export type Accepted = readonly Pick<PolicyWarning, 'kind' | 'rule_id' | 'pointer'>[];

type InertVersion = { readonly id: string; readonly version_number: number; readonly body: VersionBody };

/**
 * Returns the parts without effect that the caller accepted, for the event; a refusal that names them if the caller did not. Checked at
 * this moment, since members change.
 */
export const listAcceptedWarnings = async (
  tx: TenantTransaction,
  organizationId: string,
  { version, bindings }: { readonly version: InertVersion; readonly bindings: Bindings },
  accepts: boolean | undefined,
): Promise<Accepted | Refusal<'INVALID_POLICY'>> => {
  const { body } = version;
  const { tools, more } = await readToolsInReach(tx, organizationId, bindings);
  const found = [
    ...listInertRules(body, await readRuleReach(tx, organizationId, bindings, body)),
    ...rulesThatNeverMatch(body, more ? [] : tools),
  ].filter(({ kind }) => INERT.has(kind));
  const shown = found.slice(0, SHOWN_MAX);
  if (found.length === 0 || accepts === true) return shown.map(({ kind, rule_id, pointer }) => ({ kind, rule_id, pointer }));
  return buildRefusal('INVALID_POLICY', 'Some rules of this version have no effect. Correct them, or send "accept_warnings": true.', {
    version_id: version.id,
    version_number: version.version_number,
    faults: shown.map(({ pointer, message }) => ({ pointer, message })),
    warnings: shown,
  });
};

/** Returns the event member with accepted warnings; empty if there were none. */
export const formatAcceptedWarnings = (accepted: Accepted): { readonly accepted_warnings?: Accepted } =>
  accepted.length === 0 ? {} : { accepted_warnings: accepted };
