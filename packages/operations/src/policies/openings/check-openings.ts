import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import { comparePlaces } from '@svc/policy/openings/comparisons.ts';
import type { ChangeFindings, PolicyChange } from '@svc/policy/openings/openings.ts';
import { type Undone, undo } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { readBoundPolicies } from '@svc/postgres/policies/policies/bound-policies.ts';
import type { Accepted } from '../versions/inert-rules.ts';

/** Compares the policies before and after a change outside the transaction; null if that could not be finished in time. */
export type AnalyseChange = (organizationId: string, change: PolicyChange) => Promise<ChangeFindings | null>;

/** Part of the response about the openings of a change. */
export type OpeningsReport = {
  readonly warnings: PolicyWarning[];
  readonly analysis: { readonly complete: boolean; readonly note: string | null };
};

/** A change that was rolled back so that it can be analysed while no connection is held. */
type Unanalysed = { readonly unanalysed: { readonly key: string; readonly change: PolicyChange } };
const isUnanalysed = (value: unknown): value is Unanalysed => typeof value === 'object' && value !== null && 'unanalysed' in value;

type Checked = { readonly report: OpeningsReport; readonly accepted: Accepted };
type Outcome = Checked | Refusal<'INVALID_POLICY'> | Undone<Unanalysed>;

/** Compares the policies in force before and after the writes of one transaction. `finish` is called after the writes. */
export type PermissivenessCheck = {
  readonly begin: (
    tx: TenantTransaction,
    policyId: string,
  ) => Promise<{ readonly finish: (options: { readonly accepts: boolean | undefined }) => Promise<Outcome> }>;
};

const NO_OPENINGS: Checked = { report: { warnings: [], analysis: { complete: true, note: null } }, accepted: [] };
const OUT_OF_TIME = 'Comparing the policies before and after the change reached its time limit; the change may permit more than listed.';
const ATTEMPTS_MAX = 5;
const MOVED = 'The active policies changed during the check. Try again.';
const SHOWN_MAX = 100;

/** Identifies a change by content, not by identifiers, so that a repeated change is the same one. */
const getKey = ({ places, more, isReplaced }: PolicyChange): string => {
  const said = places.map(({ bounds, before, after }) => [
    bounds,
    ...[before, after].map((side) => side.map(({ policy_id, binding, currency, body }) => [policy_id, binding, currency, body.rules])),
  ]);
  return sha256Hex(JSON.stringify([said, more, isReplaced]));
};

const getReport = (findings: ChangeFindings | null): OpeningsReport => {
  const note = findings === null ? OUT_OF_TIME : findings.undecided;
  return { warnings: (findings?.warnings ?? []).slice(0, SHOWN_MAX), analysis: { complete: note === null, note } };
};

const settle = (report: OpeningsReport, accepts: boolean | undefined): Checked | Refusal<'INVALID_POLICY'> => {
  const { warnings, analysis } = report;
  if (warnings.length === 0 && analysis.complete) return NO_OPENINGS;
  if (accepts === true) return { report, accepted: warnings.map(({ kind, rule_id, pointer }) => ({ kind, rule_id, pointer })) };
  const message =
    warnings.length === 0
      ? `${analysis.note ?? ''} Send "accept_warnings": true to make the change anyway.`
      : 'This change permits requests that are currently refused or held. Review the warnings, and send "accept_warnings": true to make it anyway.';
  return buildRefusal('INVALID_POLICY', message, {
    faults: warnings.map(({ pointer, message: each }) => ({ pointer, message: each })),
    warnings,
    analysis,
  });
};

const checkWith = (organizationId: string, known: ReadonlyMap<string, OpeningsReport>): PermissivenessCheck => ({
  begin: async (tx, policyId) => {
    const before = await readBoundPolicies(tx, organizationId);
    const finish = async ({ accepts }: { readonly accepts: boolean | undefined }): Promise<Outcome> => {
      const after = await readBoundPolicies(tx, organizationId, before.bound);
      const change: PolicyChange = {
        ...comparePlaces(before.bound, after.bound, after.directory),
        policy_id: policyId,
        isReplaced: before.bound.some(({ policy_id }) => policy_id === policyId),
      };
      if (!change.isReplaced || (change.places.length === 0 && !change.more)) return NO_OPENINGS;
      const key = getKey(change);
      const report = known.get(key);
      return report === undefined ? undo({ unanalysed: { key, change } }) : settle(report, accepts);
    };
    return { finish };
  },
});

/**
 * Makes a change of the policies in force only if it permits nothing that was refused or held before, or the caller accepts that. The
 * change is made, rolled back, analysed while no connection is held, and made again: it is committed if it is still the same change.
 */
export const checkOpenings = async <Result>(
  { organizationId, analyse }: { readonly organizationId: string; readonly analyse: AnalyseChange },
  attempt: (check: PermissivenessCheck) => Promise<Result>,
): Promise<Exclude<Result, Unanalysed> | Refusal<'UNPROCESSABLE'>> => {
  const known = new Map<string, OpeningsReport>();
  for (let made = 0; made < ATTEMPTS_MAX; made++) {
    const outcome = await attempt(checkWith(organizationId, known));
    if (!isUnanalysed(outcome)) return outcome as Exclude<Result, Unanalysed>;
    const { key, change } = outcome.unanalysed;
    const findings = await analyse(organizationId, change);
    known.set(key, getReport(findings && { ...findings, warnings: findings.warnings.filter(({ kind }) => kind === 'newly_permits') }));
  }
  return buildRefusal('UNPROCESSABLE', MOVED);
};

/** True for an outcome of `finish` that ends the change. */
export const isStopped = (outcome: Outcome): outcome is Exclude<Outcome, Checked> => !('report' in outcome);

export { NO_OPENINGS };
