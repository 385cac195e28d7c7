import type { TouchedRule, TouchedTest } from '@svc/contract/tools/declarations.ts';
import type { ToolWarning } from '@svc/contract/tools/tools.ts';
import { compileParameters } from '@svc/domain/tools/schema/parameters-schema.ts';
import { convertAnalysedTool, type DeclarationChange } from '@svc/operations/tools/tools/read-change.ts';
import type { ToolMove } from '@svc/policy/analyse/touched-fields.ts';
import { compileVersion, type PolicySource } from '@svc/policy/judge/compile-version.ts';
import { testsOfTool } from '@svc/policy/trial/tests-of-tool.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { readInTenant, type TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { readBoundPolicies } from '@svc/postgres/policies/policies/bound-policies.ts';
import { findPolicyVersion } from '@svc/postgres/policies/versions.ts';
import { isSameTool, listAffectedRules, type TouchedRules } from './touched-rules.ts';

/** Maximum number of versions in force that are analysed; the response states if there are more. */
const VERSIONS_MAX = 20;
const WARNINGS_MAX = 100;
const RULES_MAX = 500;

export type TouchedPolicies = {
  readonly rules: readonly TouchedRule[];
  readonly warnings: readonly ToolWarning[];
  readonly tests: readonly TouchedTest[];
  /** States what was not analysed; null if everything was. */
  readonly note: string | null;
};

const NOTES = {
  tooMany: `More than ${VERSIONS_MAX} versions are in force here; nothing is said of the others.`,
  unsettled: 'Some rules took too long to look at; nothing is said of what becomes of them.',
};

type Reading = { readonly database: Database; readonly scope: TenantScope };

/** Lists the versions in force that judge requests for the tool, in any scope, each once and with its tests. */
const inReach = ({ database, scope }: Reading, { tool }: DeclarationChange): Promise<PolicySource[]> =>
  readInTenant(database, scope, async (tx) => {
    const { organization_id } = scope;
    const { bound } = await readBoundPolicies(tx, organization_id);
    const places = new Set([organization_id, tool.workspace_id, tool.environment_id, ...tool.authorized_agent_ids]);
    const reaching = new Map(bound.filter(({ binding }) => places.has(binding.id)).map((source) => [source.version_id, source]));
    const sources: PolicySource[] = [];
    for (const source of [...reaching.values()].slice(0, VERSIONS_MAX + 1)) {
      const version = await findPolicyVersion(tx, organization_id, source.policy_id, { id: source.version_id });
      sources.push({ ...source, body: { rules: source.body.rules, tests: version?.body.tests ?? [] } });
    }
    return sources;
  });

const getNote = (move: ToolMove, versions: number, touched: readonly TouchedRules[]): string | null => {
  // A change that no rule can read needs no analysis.
  if (isSameTool(move) && !move.movesDestinations) return null;
  if (versions > VERSIONS_MAX) return NOTES.tooMany;
  return touched.every(({ isWhole }) => isWhole) ? null : NOTES.unsettled;
};

/** Analyses how a changed declaration affects rules in force and their tests. */
export const analyseAffectedPolicies = async (reading: Reading, change: DeclarationChange): Promise<TouchedPolicies> => {
  if (change.changes.length === 0) return { rules: [], warnings: [], tests: [], note: null };
  const { tool, after, changes } = change;
  const members = new Set<string>(changes.map(({ member }) => member));
  const move = {
    before: convertAnalysedTool(tool, tool),
    after: convertAnalysedTool(tool, after),
    movesDestinations: members.has('destination_allowlist') || members.has('execution'),
  };
  const judge = members.has('parameters_schema') ? compileParameters(after.parameters_schema) : undefined;
  const unfit = (parameters: Readonly<Record<string, unknown>>) => {
    const [fault] = judge?.(parameters) ?? [];
    return fault === undefined ? null : `${fault.pointer} ${fault.message}`;
  };
  const found = await inReach(reading, change);
  const sources = found.slice(0, VERSIONS_MAX);
  const touched = await Promise.all(sources.map((source) => listAffectedRules(reading.scope.organization_id, source, move)));
  const tests = sources.flatMap((source) => {
    const { policy_id, policy_name, version_id } = source;
    return testsOfTool(compileVersion(source), { ...move, unfit }).map((one) => ({ policy_id, policy_name, version_id, ...one }));
  });
  return {
    rules: touched.flatMap(({ rules }) => rules).slice(0, RULES_MAX),
    warnings: touched.flatMap(({ warnings }) => warnings).slice(0, WARNINGS_MAX),
    tests,
    note: getNote(move, found.length, touched),
  };
};
