import type { MeasureName } from '@svc/contract/tables/compliance/measures.ts';
import type { MeasureCounts } from '@svc/domain/events/compliance/judge-measure.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { countApprovers, countFactorDuty, countFactors, countKeysInUse, countNetworks, countSignOn } from './count-access.ts';
import {
  countAgentKeys,
  countAgentsInUse,
  countDelegations,
  countDescribed,
  countDestinations,
  countPassports,
  countTools,
} from './count-agents.ts';
import { countDecidedApprovals, countOutcomes, countReceivers, countRiskyApproved, countStops } from './count-oversight.ts';
import { countEnforcing, countGoverned, countInvariants, countLimits, countMasks, countTested } from './count-policies.ts';
import { countDaysKept, countRecordedActions, countSealed, countVerified } from './count-record.ts';
import type { MeasureScope } from './look-at.ts';

type Counter = (tx: TenantTransaction, asked: MeasureScope) => Promise<MeasureCounts>;

const COUNTERS: Readonly<Record<MeasureName, Counter>> = {
  environments_enforcing: countEnforcing,
  agents_under_policy: countGoverned,
  policies_tested: countTested,
  invariants_stated: countInvariants,
  limits_in_force: countLimits,
  masks_in_force: countMasks,
  tools_with_schemas: countTools,
  tools_with_narrow_destinations: countDestinations,
  inventory_described: countDescribed,
  agents_with_passports: countPassports,
  agent_keys_rotated: countAgentKeys,
  agents_in_use: countAgentsInUse,
  delegations_end: countDelegations,
  members_with_factor: countFactors,
  factor_required: countFactorDuty,
  sign_in_enforced: countSignOn,
  keys_in_use: countKeysInUse,
  networks_named: countNetworks,
  approvers: countApprovers,
  record_kept: countDaysKept,
  actions_recorded: countRecordedActions,
  risky_actions_approved: countRiskyApproved,
  approvals_decided: countDecidedApprovals,
  outcomes_known: countOutcomes,
  events_sealed: countSealed,
  record_verified: countVerified,
  receivers_reached: countReceivers,
  stops_exercised: countStops,
};

/** Runs the counts of a measure, in a few bounded statements. */
export const countMeasure = (tx: TenantTransaction, name: MeasureName, asked: MeasureScope): Promise<MeasureCounts> =>
  COUNTERS[name](tx, asked);
