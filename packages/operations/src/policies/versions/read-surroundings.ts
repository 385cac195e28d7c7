import { convertMinor } from '@svc/domain/money/fx-rates/convert.ts';
import { newRateTable, type RateTable } from '@svc/domain/money/fx-rates/rate-table.ts';
import type { Unrated } from '@svc/policy/analyse/without-rate.ts';
import type { CompiledVersion } from '@svc/policy/judge/compile-version.ts';
import { comparePlaces } from '@svc/policy/openings/comparisons.ts';
import type { PolicyChange } from '@svc/policy/openings/openings.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { readRates } from '@svc/postgres/money/fx-rates/fx-rates.ts';
import { readBoundPolicies } from '@svc/postgres/policies/policies/bound-policies.ts';
import { readToolsInReach, type ToolsInReach } from '@svc/postgres/policies/policies/tools-in-reach.ts';
import { readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import { type RuleReach, readRuleReach } from './inert-rules.ts';

/** Context of a version: the tools that its rules can be about, the rates for comparing amounts, and who could approve. */
export type Surroundings = {
  readonly organization_id: string;
  readonly tools: ToolsInReach;
  readonly rates: RateTable;
  readonly reach: RuleReach;
  /** The policies in force before and after the version is activated. */
  readonly change: PolicyChange;
};

type Bindings = Parameters<typeof readToolsInReach>[2];

/** Returns the policies in force in each scope, now and with the version. */
const readChange = async (
  tx: TenantTransaction,
  organizationId: string,
  bindings: Bindings,
  { source }: Pick<CompiledVersion, 'source'>,
): Promise<PolicyChange> => {
  const { bound, directory } = await readBoundPolicies(tx, organizationId, [source]);
  const others = bound.filter(({ policy_id }) => policy_id !== source.policy_id);
  const own = bindings.map(({ scope, target_id }) => ({ ...source, binding: { scope, id: target_id } }));
  const comparisons = comparePlaces(bound, [...others, ...own], directory);
  return { ...comparisons, policy_id: source.policy_id, isReplaced: others.length < bound.length };
};

/** Reads the context of an analysis. `versionIn` returns the version, whose amounts may be in the base currency. */
export const readAnalysisContext = async (
  tx: TenantTransaction,
  organizationId: string,
  bindings: Bindings,
  versionIn: (baseCurrency: string) => CompiledVersion,
): Promise<{ readonly version: CompiledVersion; readonly surroundings: Surroundings }> => {
  const { base_currency } = await readOrganization(tx, organizationId);
  const version = versionIn(base_currency);
  const tools = await readToolsInReach(tx, organizationId, bindings);
  const rates = newRateTable(base_currency, await readRates(tx, organizationId));
  const reach = await readRuleReach(tx, organizationId, bindings, version.source.body);
  const change = await readChange(tx, organizationId, bindings, version);
  return { version, surroundings: { organization_id: organizationId, tools, rates, reach, change } };
};

/** Returns the currencies whose amounts cannot be compared now, in the base currency and in that of a version. */
export const listUnratedCurrencies =
  ({ rates }: Surroundings, writtenIn: string | undefined, now: Date): Unrated =>
  (currency) =>
    [rates.base_currency, writtenIn ?? rates.base_currency].find((into) => 'missing' in convertMinor(1, currency, into, rates, now)) ??
    null;
