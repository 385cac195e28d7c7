import type { EnforcementForecast, EnforcementReason } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import type { EnforcementStatus, EvidenceName, FindingSeverity } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { isWeaker } from './enforcement-order.ts';

/** Evidence that a status needs. Without it the status is at most `otherwise`. */
export type NeededEvidence = {
  readonly name: EvidenceName;
  /** Milliseconds after which the observation no longer counts; null if it does not age. */
  readonly livesMs: number | null;
  readonly otherwise: EnforcementStatus;
  /** Set if an observation that it does not hold is itself a way around the service. Such an observation does not age. */
  readonly isBreach?: true;
};

/** The terms of a kind of runtime. */
export type EnforcementTerms = { readonly ceiling: EnforcementStatus; readonly needs: readonly NeededEvidence[] };

/** The newest observation of a name. `holds` is null if it could not be observed. */
export type Observation = { readonly name: EvidenceName; readonly holds: boolean | null; readonly observed_at: string };

/** A finding that is not resolved. */
export type LiveFinding = {
  readonly id: string;
  readonly kind: string;
  readonly severity: FindingSeverity;
  readonly contained_by: EvidenceName | null;
  /** End of the acceptance of its risk; null if it was not accepted, or if it changed since. */
  readonly accepted_until: string | null;
};

export type Assessed = { readonly status: EnforcementStatus; readonly reasons: readonly EnforcementReason[] };

type Evidence = {
  readonly terms: EnforcementTerms;
  readonly observations: readonly Observation[];
  readonly findings: readonly LiveFinding[];
};

/** Clocks of replicas differ by less. Observations from later than this are not believed. */
const SKEW_MS = 60_000;
const REASONS_MAX = 50;

const isFresh = ({ observed_at }: Observation, livesMs: number | null, now: number): boolean => {
  const at = Date.parse(observed_at);
  return at <= now + SKEW_MS && (livesMs === null || now < at + livesMs);
};

const needReason = (need: NeededEvidence, found: Observation | undefined, now: number): EnforcementReason | undefined => {
  const { name: evidence, otherwise, livesMs, isBreach } = need;
  if (found === undefined) return { at_most: otherwise, why: 'It was never observed.', evidence };
  if (isBreach && found.holds === false) return { at_most: 'BYPASSED', why: 'A test got around the service.', evidence };
  if (!isFresh(found, livesMs, now)) return { at_most: otherwise, why: 'The last observation is too old.', evidence };
  if (found.holds === true) return undefined;
  return {
    at_most: otherwise,
    why: found.holds === null ? 'It could not be observed.' : 'It was observed that it does not hold.',
    evidence,
  };
};

const findingReason = (
  { id, kind, severity, contained_by, accepted_until }: LiveFinding,
  { terms, observations }: Evidence,
  now: number,
): EnforcementReason | undefined => {
  if (severity === 'LOW') return undefined;
  const isAccepted = accepted_until !== null && now < Date.parse(accepted_until);
  if (isAccepted) return { at_most: 'PARTIAL', why: `The risk of a finding was accepted (${kind}).`, finding_id: id };
  if (severity === 'MEDIUM') return { at_most: 'PARTIAL', why: `A finding of medium severity is open (${kind}).`, finding_id: id };
  const need = terms.needs.find(({ name }) => name === contained_by);
  const proof = observations.find(({ name }) => name === contained_by);
  const isContained = need !== undefined && proof?.holds === true && isFresh(proof, need.livesMs, now);
  return isContained ? undefined : { at_most: 'BYPASSED', why: `A way around the service is open (${kind}).`, finding_id: id };
};

/** Returns the enforcement status at a time, with every reason that lowers it, strongest first. */
export const assessEnforcement = (evidence: Evidence, now: Date): Assessed => {
  const at = now.getTime();
  const { terms, observations, findings } = evidence;
  const reasons = [
    ...terms.needs.map((need) =>
      needReason(
        need,
        observations.find(({ name }) => name === need.name),
        at,
      ),
    ),
    ...findings.map((finding) => findingReason(finding, evidence, at)),
  ].flatMap((reason) => (reason !== undefined && isWeaker(reason.at_most, terms.ceiling) ? [reason] : []));
  const status = reasons.reduce((least, { at_most }) => (isWeaker(at_most, least) ? at_most : least), terms.ceiling);
  const ordered = reasons.toSorted(
    (one, other) => Number(isWeaker(other.at_most, one.at_most)) - Number(isWeaker(one.at_most, other.at_most)),
  );
  return { status, reasons: ordered.slice(0, REASONS_MAX) };
};

/** Returns the moments at which time alone can lower the status. */
const turningPoints = ({ terms, observations, findings }: Evidence, now: number): number[] => {
  const ends = [
    ...terms.needs.flatMap(({ name, livesMs }) => {
      const found = observations.find((each) => each.name === name);
      return found === undefined || livesMs === null ? [] : [Date.parse(found.observed_at) + livesMs];
    }),
    ...findings.flatMap(({ accepted_until }) => (accepted_until === null ? [] : [Date.parse(accepted_until)])),
  ];
  return [...new Set(ends)].filter((end) => end > now).toSorted((one, other) => one - other);
};

/** Returns the status now and each lower one that follows if nothing new is observed. */
export const forecastEnforcement = (evidence: Evidence, now: Date): EnforcementForecast => {
  const forecast: EnforcementForecast = [{ from: now.toISOString(), status: assessEnforcement(evidence, now).status }];
  for (const end of turningPoints(evidence, now.getTime())) {
    const { status } = assessEnforcement(evidence, new Date(end));
    const last = forecast.at(-1);
    if (last !== undefined && isWeaker(status, last.status)) forecast.push({ from: new Date(end).toISOString(), status });
  }
  return forecast;
};
