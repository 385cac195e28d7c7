import type { Fuel } from '@svc/solver/fuel.ts';
import type { Cell } from '../formula/cells.ts';
import type { AnalysedRule, AnalysedVersion } from '../formula/formula.ts';
import { type AnalysedTool, fixedValue, presence } from './analysed-tool.ts';
import { possibleOutcome, search, type Variable } from './search.ts';

/** Returns the fields of a rule with the cells that requests for one tool can be in. */
export const listToolVariables = (
  version: AnalysedVersion,
  variables: readonly Variable[],
  tool: AnalysedTool,
  withParameters: boolean,
): Variable[] =>
  variables.map((variable) => {
    const judges = variable.atoms.flatMap((atom) => version.atoms[atom] ?? []);
    const [first] = judges;
    const value = fixedValue(tool, variable.name);
    if (value !== undefined) {
      const outcomes = judges.map((atom) => atom.judge(value));
      const only: Cell = { least: outcomes, greatest: outcomes, real: true, value };
      return { ...variable, cells: [only] };
    }
    if (first === undefined || !withParameters) return variable;
    const { there } = presence(tool, first.field);
    if (there !== 'never') return variable;
    const outcomes = judges.map((atom) => atom.judge(undefined));
    return { ...variable, cells: [{ least: outcomes, greatest: outcomes, real: true, value: undefined }] };
  });

/** Returns true if it is proven that no request for the tool makes the rule match. */
export const excludes = (version: AnalysedVersion, rule: AnalysedRule, variables: readonly Variable[], fuel: Fuel): boolean =>
  search(version, variables, [{ rule, matches: true, from: possibleOutcome(version, rule) }], { fuel }) === 'none';
