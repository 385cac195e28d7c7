import type { ToolWarning } from '@svc/contract/tools/tools.ts';
import type { Call } from '@svc/http/calls/call.ts';
import type { AnalysedTool } from '@svc/policy/analyse/analysed-tool.ts';
import { keepsFromMatching } from '@svc/policy/analyse/keeps-from-matching.ts';
import type { PolicySource } from '@svc/policy/judge/compile-version.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { readBoundPolicies } from '@svc/postgres/policies/policies/bound-policies.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { analyseInWorkerProcess } from '../../../policies/analysis/analyse-aside.ts';

/** Maximum number of versions in force that are analysed. */
const VERSIONS_MAX = 20;
const WARNINGS_MAX = 20;

/** True if a request can bypass a rule by omitting a field: only a restricting rule that requires known fields. */
const canBeDodged = ({ body }: PolicySource): boolean =>
  body.rules.some(({ effect, if_missing }) => effect !== 'ALLOW' && if_missing !== 'match');

type ToolCall = Pick<Call<never>, 'database' | 'scope'> & { readonly body: { readonly environment_id: string } };

const strictInReach = ({ database, scope, body }: ToolCall): Promise<readonly PolicySource[]> =>
  readInTenant(database, scope, async (tx) => {
    const environment = await findEnvironment(tx, scope.organization_id, body.environment_id);
    if (!environment) return [];
    const { bound } = await readBoundPolicies(tx, scope.organization_id);
    const places = new Set([scope.organization_id, environment.workspace_id, environment.id]);
    const reaching = bound.filter((source) => places.has(source.binding.id) && canBeDodged(source));
    return [...new Map(reaching.map((source) => [source.version_id, source])).values()].slice(0, VERSIONS_MAX);
  });

const readWarnings = async (organizationId: string, source: PolicySource, tools: readonly AnalysedTool[]): Promise<ToolWarning[]> => {
  const found = await analyseInWorkerProcess(organizationId, { body: source.body, tools, unrated: new Map() });
  const { policy_id, policy_name, version_id } = source;
  return (found?.warnings ?? []).flatMap((warning) =>
    keepsFromMatching(warning, source.body) ? [{ policy_id, policy_name, version_id, ...warning }] : [],
  );
};

/**
 * Lists restricting rules in force that requests for new tools of one environment could avoid by omitting parameters or changing their
 * types. Saving a version gives the same warnings about existing tools.
 */
export const listToolWarnings = async (call: ToolCall, tools: readonly AnalysedTool[]): Promise<readonly ToolWarning[]> => {
  const strict = await strictInReach(call);
  const found = await Promise.all(strict.map((source) => readWarnings(call.scope.organization_id, source, tools)));
  return found.flat().slice(0, WARNINGS_MAX);
};
