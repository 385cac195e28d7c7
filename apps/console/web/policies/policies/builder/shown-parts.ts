import { findInexact } from './edit-text.ts';
import {
  type Builder,
  type BuilderMembers,
  type Demand,
  type DemandMember,
  findField,
  givenText,
  hasStar,
  isMembers,
  isWritable,
  listOperators,
  valueText,
} from './language.ts';

/** The reason that the builder cannot show a part, to be completed to "Shown as JSON, since …"; undefined if it can. */
type Unshown = string | undefined;

const findFirst = (checks: readonly (() => Unshown)[]): Unshown => {
  for (const check of checks) {
    const reason = check();
    if (reason !== undefined) return reason;
  }
  return undefined;
};

const otherMember = (part: BuilderMembers, known: readonly string[]): Unshown => {
  const other = Object.keys(part).find((name) => !known.includes(name));
  return other === undefined ? undefined : `the builder has no field for "${other}"`;
};

const wrongText = (part: BuilderMembers, names: readonly string[]): Unshown => {
  const wrong = names.find((name) => part[name] !== undefined && typeof part[name] !== 'string');
  return wrong === undefined ? undefined : `"${wrong}" is not a text`;
};

const unshownField = (builder: Builder, condition: BuilderMembers, currency: string | undefined): Unshown => {
  const { field: name, op, value, quantifier } = condition;
  const field = typeof name === 'string' ? findField(builder, name) : undefined;
  if (field === undefined) return `"${String(name)}" is no field of the policy language`;
  const operator = listOperators(builder, name as string).find((each) => each.name === op);
  if (operator === undefined) return `"${String(op)}" does not fit ${field.name}`;
  if (hasStar(builder, field, name as string) !== (quantifier === 'any' || quantifier === 'all'))
    return `the quantifier of ${String(name)} does not fit`;
  if (!isWritable(valueText(builder, field, operator, currency), value)) return `the value of ${String(name)} does not fit one line`;
  return otherMember(condition, ['field', 'op', 'value', 'quantifier']);
};

const findGroup = (condition: BuilderMembers): readonly unknown[] | undefined => {
  const [name, ...others] = Object.keys(condition);
  const list = name === 'all' || name === 'any' ? condition[name] : undefined;
  return others.length === 0 && Array.isArray(list) ? list : undefined;
};

const unshownCondition = (builder: Builder, condition: unknown, currency: string | undefined): Unshown => {
  if (!isMembers(condition)) return 'a condition is not an object';
  const group = findGroup(condition);
  if (group !== undefined) return findFirst(group.map((each) => () => unshownCondition(builder, each, currency)));
  if (!('not' in condition)) return 'any_element' in condition ? 'it uses any_element' : unshownField(builder, condition, currency);
  return isMembers(condition.not) && 'field' in condition.not
    ? (unshownField(builder, condition.not, currency) ?? otherMember(condition, ['not']))
    : 'it negates a group of conditions';
};

const fitsDemand = ({ type }: DemandMember, value: unknown): boolean => {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'path_list')
    return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string' && !/[,]|^\s|\s$/.test(each));
  return typeof value === type;
};

const unshownDemand = ({ member, members }: Demand, value: unknown): Unshown => {
  if (value === undefined) return undefined;
  if (!isMembers(value)) return `"${member}" is not an object`;
  const wrong = Object.entries(value).find(([name, each]) => members[name] !== undefined && !fitsDemand(members[name], each));
  return wrong === undefined ? otherMember(value, Object.keys(members)) : `"${wrong[0]}" does not fit its field`;
};

const RULE = ['id', 'description', 'effect', 'when', 'if_missing', 'reason'];

/** The reason that the builder cannot show a rule of the text without losing a part of it. */
export const unshownRule = (builder: Builder, text: string, index: number, rule: unknown, currency: string | undefined): Unshown => {
  if (!isMembers(rule)) return 'it is not an object';
  const effect = builder.effects.find(({ name }) => name === rule.effect);
  if (effect === undefined) return `"${String(rule.effect)}" is no effect`;
  const { demand } = effect;
  const { when } = rule;
  return findFirst([
    () => wrongText(rule, ['id', 'description', 'reason']),
    () => (rule.if_missing === undefined || rule.if_missing === 'match' ? undefined : '"if_missing" has an unknown value'),
    () => otherMember(rule, demand === null ? RULE : [...RULE, demand.member]),
    () =>
      when === undefined || (isMembers(when) && Object.keys(when).length === 0) ? undefined : unshownCondition(builder, when, currency),
    () => (demand === null ? undefined : unshownDemand(demand, rule[demand.member])),
    () => findInexact(text, ['rules', index]),
  ]);
};

const unshownGiven = (builder: Builder, given: BuilderMembers, currency: string | undefined): Unshown => {
  const unfit = Object.entries(given).find(([name, value]) => {
    const field = findField(builder, name);
    return field === undefined || !isWritable(givenText(field, currency), value);
  });
  return unfit === undefined ? undefined : `"${unfit[0]}" does not fit one line`;
};

/** The reason that the builder cannot show a test of the text without losing a part of it. */
export const unshownTest = (builder: Builder, text: string, index: number, each: unknown, currency: string | undefined): Unshown => {
  if (!isMembers(each)) return 'it is not an object';
  const { given, then } = each;
  if (!isMembers(given) || !isMembers(then)) return 'it has no "given" or no "then"';
  const { rule, effect } = then;
  return findFirst([
    () => wrongText(each, ['name']),
    () => otherMember(each, ['name', 'given', 'then']),
    () => otherMember(then, ['effect', 'rule']),
    () => (builder.effects.some(({ name }) => name === effect) ? undefined : `"${String(effect)}" is no effect`),
    () => (rule === undefined || rule === null || typeof rule === 'string' ? undefined : '"rule" is not a text'),
    () => unshownGiven(builder, given, currency),
    () => findInexact(text, ['tests', index]),
  ]);
};
