import type { VersionBody } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import { type AnalysedRule, readFormulas } from '../formula/formula.ts';
import type { AnalysedTool } from './analysed-tool.ts';
import { type BypassSearch, findBypasses } from './bypasses.ts';
import { conditionsNeverHold } from './conditions-never-hold.ts';
import { findElementBypasses } from './element-dodges.ts';
import { elementsWithoutParameter } from './elements-without-parameter.ts';
import { type Exact, openExact } from './exact.ts';
import { openEngine } from './example-request.ts';
import { warnOfListedTexts } from './listed-texts.ts';
import { oneElement } from './loose/one-element.ts';
import { openHosts } from './loose/open-hosts.ts';
import { warnOfOpenTexts } from './loose/open-texts.ts';
import { maskWithoutParameter } from './mask-without-parameter.ts';
import { neverMatches } from './never-matches.ts';
import { overlap } from './overlap.ts';
import { listVariables } from './search.ts';
import { shadowed } from './shadowed.ts';
import { statedAmounts } from './stated-amounts.ts';
import { groupTools } from './tool-groups.ts';
import { type Unrated, warnOfMissingRate } from './without-rate.ts';
import { listConcernedTools, warnOfMissingTool } from './without-tool.ts';

/** Step budget of one analysis, about a tenth of a second; what is undecided by then is not claimed. */
const STEPS_MAX = 1_000_000;
/** Step budget of the solver in addition, a few tenths of a second. */
const EXACT_STEPS_MAX = 5_000_000;
/** Budget for reads of tool schemas about elements, a few tenths of a second. */
const LOOKS_MAX = 50_000;
const WARNINGS_MAX = 100;

const onTools = (scene: BypassSearch, rule: AnalysedRule, tools: readonly AnalysedTool[], looks: Fuel): PolicyWarning[] => {
  const variables = listVariables(scene.version, [rule], scene.fuel);
  const groups = groupTools(scene.version, variables, tools);
  if (groups.length === 0) return [];
  const concerned = listConcernedTools(scene.version, rule, variables, groups, scene.fuel);
  const without = warnOfMissingTool(scene.version, rule, variables, concerned, scene.fuel);
  if (without !== null) return [without];
  // Tools of one group can differ in the contents of their lists.
  const named = new Set(concerned.flatMap(({ names }) => names));
  const about = tools.filter(({ name }) => named.has(name));
  const dodged = findBypasses(scene, rule, variables, groups);
  const isTold = (one: PolicyWarning): boolean => dodged.some(({ kind, pointer }) => kind === one.kind && pointer === one.pointer);
  return [
    ...elementsWithoutParameter(rule, about),
    ...conditionsNeverHold(rule, about),
    ...dodged,
    ...findElementBypasses(rule, about, looks).filter((one) => !isTold(one)),
    ...statedAmounts(scene.version, rule, about),
    ...warnOfListedTexts(rule, about),
  ];
};

const overlaps = (
  scene: BypassSearch & { readonly exact: Exact },
  rule: AnalysedRule,
  possible: readonly AnalysedRule[],
): (PolicyWarning | 'undecided')[] => {
  if (rule.rule.effect !== 'ALLOW') return [];
  const blocks = possible.filter((other) => other.rule.effect === 'BLOCK');
  return blocks.flatMap((block) => overlap(scene.version, scene.engine, rule, block, scene) ?? []);
};

/**
 * Returns warnings about a valid version, in the order of its rules. `tools` are the tools that its requests can be for, and `unrated`
 * returns
 * the currencies whose amounts cannot be compared. A warning is never wrong: what cannot be decided exactly is left out, and `complete` is
 * false if the step budget ran out.
 */
export const analyseVersion = (
  body: VersionBody,
  tools: readonly AnalysedTool[],
  unrated: Unrated = () => null,
): { readonly warnings: PolicyWarning[]; readonly complete: boolean } => {
  const scene: BypassSearch = { version: readFormulas(body), engine: openEngine(), fuel: { left: STEPS_MAX } };
  const { version, fuel } = scene;
  const exactFuel: Fuel = { left: EXACT_STEPS_MAX };
  const looks: Fuel = { left: LOOKS_MAX };
  const exact = openExact(body, exactFuel, fuel);
  const impossible = new Map(
    version.rules.flatMap((rule) => {
      const warning = neverMatches(version, rule, fuel, exact);
      return warning === null ? [] : [[rule, warning] as const];
    }),
  );
  const possible = version.rules.filter((rule) => !impossible.has(rule));
  const found = version.rules.flatMap((rule): (PolicyWarning | 'undecided')[] => {
    const never = impossible.get(rule);
    if (never !== undefined) return [never];
    const shadow = shadowed({ ...version, rules: possible }, rule, fuel, exact);
    return [
      ...(shadow === null ? overlaps({ ...scene, exact }, rule, possible) : [shadow]),
      ...onTools(scene, rule, tools, looks),
      ...oneElement(rule),
      ...openHosts(rule),
      ...warnOfOpenTexts(version, rule),
      ...maskWithoutParameter(rule, tools),
      ...warnOfMissingRate(version, rule, unrated),
    ];
  });
  const warnings = found.filter((one) => one !== 'undecided');
  const isDecided = warnings.length === found.length && [fuel, exactFuel, looks].every(({ left }) => left >= 0);
  return { warnings: warnings.slice(0, WARNINGS_MAX), complete: isDecided && warnings.length <= WARNINGS_MAX };
};
