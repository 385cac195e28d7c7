import type { VersionBody } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import { type AnalysedRule, readFormulas } from '../formula/formula.ts';
import type { AnalysedTool } from './analysed-tool.ts';
import { elementsWithoutParameter } from './elements-without-parameter.ts';
import { maskWithoutParameter } from './mask-without-parameter.ts';
import { neverMatches } from './never-matches.ts';
import { listVariables } from './search.ts';
import { groupTools } from './tool-groups.ts';
import { listConcernedTools, warnOfMissingTool } from './without-tool.ts';

/** Step budget of the search, a few hundredths of a second; what is not proven by then is not claimed. */
const STEPS_MAX = 200_000;

/** Solver answers that claim nothing. */
const WITHOUT_SOLVER = { mayMatchAlone: () => true, findRequest: () => undefined };

const withoutParameter = (version: ReturnType<typeof readFormulas>, rule: AnalysedRule, tools: readonly AnalysedTool[], fuel: Fuel) => {
  const variables = listVariables(version, [rule], fuel);
  const groups = groupTools(version, variables, tools);
  if (groups.length === 0) return [];
  const concerned = listConcernedTools(version, rule, variables, groups, fuel);
  const without = warnOfMissingTool(version, rule, variables, concerned, fuel);
  if (without !== null) return without.kind === 'unknown_parameter' ? [without] : [];
  const names = new Set(concerned.flatMap((group) => group.names));
  return elementsWithoutParameter(
    rule,
    tools.filter(({ name }) => names.has(name)),
  );
};

/**
 * Returns rules for which it is quickly proven that no request matches them, or none for the existing tools. A part of the warnings of
 * `analyseVersion`, fast enough to run while a version is activated.
 */
export const rulesThatNeverMatch = (body: VersionBody, tools: readonly AnalysedTool[]): PolicyWarning[] => {
  const fuel: Fuel = { left: STEPS_MAX };
  const version = readFormulas(body);
  return version.rules.flatMap((rule) => {
    const never = neverMatches(version, rule, fuel, WITHOUT_SOLVER);
    return never === null ? [...withoutParameter(version, rule, tools, fuel), ...maskWithoutParameter(rule, tools)] : [never];
  });
};
