import type { EnforcementForecast, RuntimeSettings } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import type { EnforcementStatus, RuntimeStatus } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isWeaker } from './enforcement-order.ts';

/** The parts of a runtime that decisions about its agent read. */
export type RuntimeTerms = {
  readonly status: RuntimeStatus;
  readonly fail_closed: boolean;
  readonly settings: RuntimeSettings;
  readonly enforcement_forecast: EnforcementForecast;
};

const { defaultGraceSeconds } = LIMITS.runtimes;

export const requiredEnforcement = ({ required_enforcement = 'DETECTED' }: RuntimeSettings): EnforcementStatus => required_enforcement;

/** Returns the status at a time: that of the forecast, and UNKNOWN for a runtime that the service cannot see. */
export const enforcementAt = ({ status, enforcement_forecast }: RuntimeTerms, now: Date): EnforcementStatus => {
  if (status === 'DISCONNECTED') return 'UNKNOWN';
  return enforcement_forecast.findLast(({ from }) => Date.parse(from) <= now.getTime())?.status ?? 'UNKNOWN';
};

/** Returns since when the status has been below the required one; undefined if it is not. */
export const insufficientSince = (terms: RuntimeTerms, now: Date): number | undefined => {
  const required = requiredEnforcement(terms.settings);
  if (!isWeaker(enforcementAt(terms, now), required)) return undefined;
  // A forecast only falls, so the first status that is too low begins the time.
  const first = terms.enforcement_forecast.find(({ status }) => isWeaker(status, required));
  return first === undefined ? 0 : Date.parse(first.from);
};

/** Why the gateway refuses an agent because of its runtime. */
export type RuntimeRefusal =
  | { readonly code: 'AGENT_NOT_OPERATIONAL'; readonly runtime_status: RuntimeStatus }
  | {
      readonly code: 'TRUST_EVIDENCE_INSUFFICIENT';
      readonly enforcement: EnforcementStatus;
      readonly required: EnforcementStatus;
      readonly since: string | null;
    };

/** Returns why actions of the agent are refused; undefined if the runtime does not refuse them. */
export const refuseByRuntime = (terms: RuntimeTerms, now: Date): RuntimeRefusal | undefined => {
  const { status, fail_closed, settings } = terms;
  if (status === 'PAUSED' || status === 'DISABLED' || status === 'RECOVERING')
    return { code: 'AGENT_NOT_OPERATIONAL', runtime_status: status };
  if (!fail_closed) return undefined;
  const since = insufficientSince(terms, now);
  const graceMs = (settings.grace_seconds ?? defaultGraceSeconds) * 1_000;
  if (since === undefined || (status !== 'DISCONNECTED' && now.getTime() < since + graceMs)) return undefined;
  return {
    code: 'TRUST_EVIDENCE_INSUFFICIENT',
    enforcement: enforcementAt(terms, now),
    required: requiredEnforcement(settings),
    since: since === 0 ? null : new Date(since).toISOString(),
  };
};
