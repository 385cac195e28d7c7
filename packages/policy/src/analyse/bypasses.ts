import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import { TRUE, UNKNOWN } from '../evaluation/outcome.ts';
import { type AnalysedRule, type AnalysedVersion, computeGreatest, computeLeast, nothingKnown } from '../formula/formula.ts';
import type { PolicyField } from '../language/find-field.ts';
import { type AnalysedTool, fixedValue, presence } from './analysed-tool.ts';
import { surelyAdmits } from './declared/admits.ts';
import { canHold, type JsonType, mustBeThere, readTypes } from './declared/declared-parameters.ts';
import { getJsonType } from './declared/json-type.ts';
import { sampleValues } from './declared/sample-values.ts';
import { buildGiven, type ExampleInput, type RuleEngine } from './example-request.ts';
import { listToolVariables } from './for-tool.ts';
import { type CellAssignment, search, type Variable } from './search.ts';
import type { ToolGroup } from './tool-groups.ts';

/** The value with which an agent replaces another; undefined leaves it out. */
export type Instead = { readonly type: JsonType | null; readonly value: unknown };

/** The simplest value of each type. */
export const TYPES: readonly Instead[] = [
  { type: 'string', value: 'text' },
  { type: 'number', value: 1 },
  { type: 'boolean', value: true },
  { type: 'object', value: {} },
  { type: 'array', value: [] },
];
export const NOTHING: Instead = { type: null, value: undefined };
const ATTEMPTS_MAX = 64;
const ATTEMPT_PRICE = 100;

const TOOL_FIELDS = ['tool.name', 'tool.capability', 'capability', 'tool.kind', 'tool.risk_rating', 'tool.dangerous'];
export const buildBypassRequest = (tool: AnalysedTool, given: ExampleInput): ExampleInput => ({
  ...Object.fromEntries(TOOL_FIELDS.map((name) => [name, fixedValue(tool, name)])),
  ...given,
});

/** Returns a value of each type that fits the schema. */
const otherValues = (schema: unknown, isPossible: (value: unknown) => boolean): Instead[] => {
  const values = [...TYPES.map(({ value }) => value).filter((value) => surelyAdmits(schema, value)), ...sampleValues(schema)];
  return TYPES.flatMap(({ type }): Instead[] => {
    const value = values.find((one) => getJsonType(one) === type && isPossible(one));
    return value === undefined ? [] : [{ type, value }];
  });
};

/** Leaves the value out if the parameters may be without it, else uses null if that fits: both count as missing. */
const withoutValue = (tool: AnalysedTool, field: PolicyField, schema: unknown): Instead[] => {
  if (field.row.family !== 'path') return [NOTHING];
  const { parameters_schema } = tool;
  const isRequired = mustBeThere(parameters_schema, field.segments);
  if (isRequired && surelyAdmits(schema, null) && canHold(parameters_schema, field.segments, null)) return [{ ...NOTHING, value: null }];
  return !isRequired || canHold(parameters_schema, field.segments, undefined) ? [NOTHING] : [];
};

/** Returns the changes that an agent can make to a field of a request for the tool. */
const insteadOf = (version: AnalysedVersion, variable: Variable, tool: AnalysedTool): Instead[] => {
  const field = version.atoms[variable.atoms[0] ?? -1]?.field;
  if (field === undefined) return [];
  const { there, schema } = presence(tool, field);
  if (there === 'never') return [];
  const isPath = field.row.family === 'path';
  const isPossible = (value: unknown): boolean => !isPath || canHold(tool.parameters_schema, field.segments, value);
  const others = !isPath || field.wildcard ? [] : otherValues(schema, isPossible);
  return there === 'maybe' ? [...withoutValue(tool, field, schema), ...others] : others;
};

const parameterSchema = (version: AnalysedVersion, variable: Variable, tool: AnalysedTool): unknown => {
  const field = version.atoms[variable.atoms[0] ?? -1]?.field;
  return field?.row.family === 'path' ? presence(tool, field).schema : true;
};

/** Returns true if the tool admits a value of this type, so that the rule applies to such requests at all. */
const hasRoom = (schema: unknown, value: unknown): boolean => readTypes(schema)?.has(getJsonType(value)) ?? false;

/** Returns true if the rule is unknown with the changed field, for any value of the open fields. */
const isUnknownWith = (
  version: AnalysedVersion,
  rule: AnalysedRule,
  found: CellAssignment,
  variables: readonly Variable[],
  changed: Variable,
  value: unknown,
): boolean => {
  const known = nothingKnown(version.atoms.length);
  for (const { name, atoms } of variables) {
    const cell = found.get(name);
    for (const [place, atom] of atoms.entries()) {
      const outcome = name === changed.name ? version.atoms[atom]?.judge(value) : undefined;
      known.least[atom] = outcome ?? cell?.least[place] ?? 0;
      known.greatest[atom] = outcome ?? cell?.greatest[place] ?? TRUE;
    }
  }
  return computeLeast(rule.formula, known) === UNKNOWN && computeGreatest(rule.formula, known) === UNKNOWN;
};

/** Returns a request that would match the rule, and bypasses it with the changed field; null if none is found. */
const findDodge = (
  { version, engine, fuel }: BypassSearch,
  rule: AnalysedRule,
  variables: readonly Variable[],
  changed: Variable,
  tool: AnalysedTool,
  instead: Instead,
): ExampleInput | null => {
  let dodge: ExampleInput | null = null;
  let attempts = 0;
  const isFree = (name: string): boolean => variables.some((variable) => variable.name === name && variable.cells.length > 1);
  const fits = (variable: Variable, value: unknown): boolean =>
    value === undefined || surelyAdmits(parameterSchema(version, variable, tool), value);
  const stop = (found: CellAssignment): boolean => {
    const meets = found.get(changed.name);
    if (meets === undefined || meets.value === undefined || getJsonType(meets.value) === instead.type) return false;
    if (!hasRoom(parameterSchema(version, changed, tool), meets.value)) return false;
    if (!variables.every((other) => other === changed || fits(other, found.get(other.name)?.value))) return false;
    if ([...found].some(([name, { value }]) => value === undefined && isFree(name))) return false;
    if (!isUnknownWith(version, rule, found, variables, changed, instead.value)) return false;
    attempts += 1;
    fuel.left -= ATTEMPT_PRICE;
    const before = buildGiven(found);
    const after = buildGiven(new Map([...found, [changed.name, { ...meets, value: instead.value }]]));
    if (before !== null && after !== null) {
      const outcomeOn = (given: ExampleInput) => engine(rule.rule, buildBypassRequest(tool, given));
      if (outcomeOn(before) === 'matched' && outcomeOn(after) === 'unknown') dodge = buildBypassRequest(tool, after);
    }
    return dodge !== null || attempts >= ATTEMPTS_MAX;
  };
  search(version, variables, [{ rule, matches: true, from: TRUE }], { fuel, real: true, stop });
  return dodge;
};

export type BypassSearch = { readonly version: AnalysedVersion; readonly engine: RuleEngine; readonly fuel: Fuel };

/** Lists a few tools by name, and the number of others. */
export const named = (names: readonly string[]): string => {
  const shown = names
    .slice(0, 3)
    .map((name) => `"${name}"`)
    .join(', ');
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return `${names.length === 1 ? 'tool' : 'tools'} ${shown}${more}`;
};

export const describe = (field: string, names: readonly string[], { type }: Instead): string => {
  const then = 'in that case the condition is unknown and the rule does not match.';
  if (type !== null)
    return `A request for ${named(names)} can send ${field} with another type (${type}); ${then} Declare its type in the parameters of the tool, or add "if_missing": "match".`;
  if (field === 'destination.ip')
    return `A request for ${named(names)} can specify its destination by host name, so the address is unknown here; ${then} Add "if_missing": "match".`;
  if (field === 'amount' || field === 'currency')
    return `A request for ${named(names)} can omit ${field}; ${then} Declare ${field}_from on the tool, or add "if_missing": "match".`;
  if (field.startsWith('destination.'))
    return `A request for ${named(names)} can omit the destination; ${then} Declare destination_from on the tool, or add "if_missing": "match".`;
  return `A request for ${named(names)} can omit ${field}; ${then} Require it in the parameters of the tool, or add "if_missing": "match".`;
};

type Dodge = { readonly instead: Instead; readonly names: string[]; readonly example: ExampleInput };

/** Warns of strict rules that an agent can keep from matching by omitting or mistyping a value. The rule must be able to match. */
export const findBypasses = (
  scene: BypassSearch,
  rule: AnalysedRule,
  variables: readonly Variable[],
  groups: readonly ToolGroup[],
): PolicyWarning[] => {
  if (rule.rule.effect === 'ALLOW' || rule.rule.if_missing === 'match') return [];
  return variables.flatMap((changed) => {
    const found = new Map<'missing_field' | 'mistyped_field', Dodge>();
    for (const { tool, names } of groups) {
      const own = listToolVariables(scene.version, variables, tool, true);
      for (const instead of insteadOf(scene.version, changed, tool)) {
        const kind = instead.type === null ? 'missing_field' : 'mistyped_field';
        const known = found.get(kind);
        if (known !== undefined && known.instead.type !== instead.type) continue;
        const example = findDodge(scene, rule, own, changed, tool, instead);
        if (example === null) continue;
        if (known === undefined) found.set(kind, { instead, names: [...names], example });
        else known.names.push(...names);
      }
    }
    return [...found].map(([kind, { instead, names, example }]) => ({
      kind,
      rule_id: rule.rule.id,
      pointer: rule.pointers.get(changed.atoms[0] ?? -1) ?? `/rules/${rule.position}`,
      message: describe(changed.name, names, instead),
      example,
    }));
  });
};
