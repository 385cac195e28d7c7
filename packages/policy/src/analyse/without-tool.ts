import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import type { AnalysedRule, AnalysedVersion } from '../formula/formula.ts';
import { presence } from './analysed-tool.ts';
import { excludes, listToolVariables } from './for-tool.ts';
import type { Variable } from './search.ts';
import type { ToolGroup } from './tool-groups.ts';

/** Returns the first parameter of the rule that none of the tools has. */
const unknownParameter = (version: AnalysedVersion, variables: readonly Variable[], groups: readonly ToolGroup[]): Variable | undefined =>
  variables.find(({ atoms: [first = -1] }) => {
    const field = version.atoms[first]?.field;
    return field?.row.family === 'path' && groups.every(({ tool }) => presence(tool, field).there === 'never');
  });

/** Returns the tools that the rule applies to with any parameters. */
export const listConcernedTools = (
  version: AnalysedVersion,
  rule: AnalysedRule,
  variables: readonly Variable[],
  groups: readonly ToolGroup[],
  fuel: Fuel,
): ToolGroup[] => groups.filter(({ tool }) => !excludes(version, rule, listToolVariables(version, variables, tool, false), fuel));

/** Warns if no existing tool can make the rule match, among the `concerned` ones. The rule itself can match. */
export const warnOfMissingTool = (
  version: AnalysedVersion,
  rule: AnalysedRule,
  variables: readonly Variable[],
  concerned: readonly ToolGroup[],
  fuel: Fuel,
): PolicyWarning | null => {
  const at = { rule_id: rule.rule.id, pointer: `/rules/${rule.position}` };
  if (concerned.length === 0) return { kind: 'no_tool', ...at, message: 'No registered tool can make this rule match.' };
  if (concerned.some(({ tool }) => !excludes(version, rule, listToolVariables(version, variables, tool, true), fuel))) return null;
  const lacking = unknownParameter(version, variables, concerned);
  if (lacking === undefined) return { kind: 'no_tool', ...at, message: 'No registered tool has the parameters that make this rule match.' };
  return {
    kind: 'unknown_parameter',
    rule_id: rule.rule.id,
    pointer: rule.pointers.get(lacking.atoms[0] ?? -1) ?? at.pointer,
    message: `No tool that this rule applies to has the parameter ${lacking.name}, so the rule never matches.`,
  };
};
