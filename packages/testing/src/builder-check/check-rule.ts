import { checkCondition } from './check-condition.ts';
import { type Any, checkMembers, isObject, isText, isWhole, type SchemaReading } from './reading.ts';

const isDemandMember = (member: Any, value: unknown): boolean => {
  if (member.type === 'boolean') return typeof value === 'boolean';
  if (member.type === 'string') return isText(value, member);
  if (member.type === 'integer') return isWhole(value, member);
  const rule = { pattern: member.item_pattern, max_length: member.item_length_max };
  if (member.unique && Array.isArray(value) && new Set(value).size < value.length) return false;
  return Array.isArray(value) && value.length >= member.min && value.length <= member.max && value.every((path) => isText(path, rule));
};

const checkDemand = (reading: SchemaReading, demand: Any, value: unknown, at: string): void => {
  const { faults } = reading;
  if (!checkMembers(reading, value, demand.members, at)) return;
  for (const [name, member] of Object.entries<Any>(demand.members)) {
    if (value[name] === undefined) continue;
    if (!isDemandMember(member, value[name])) faults.push(`${at}/${name}`);
    if (member.requires !== undefined && value[member.requires] === undefined) faults.push(at);
  }
  if (demand.at_least_one_of.length > 0 && !demand.at_least_one_of.some((name: string) => value[name] !== undefined)) faults.push(at);
};

const checkDemands = (reading: SchemaReading, rule: Any, effect: Any, at: string): void => {
  for (const [member, { type }] of Object.entries<Any>(reading.schema.structure.rule)) {
    if (type !== 'demand') continue;
    const isOwn = effect.demand?.member === member;
    if (rule[member] === undefined) {
      if (isOwn && effect.demand.required) reading.faults.push(at);
    } else if (isOwn) checkDemand(reading, effect.demand, rule[member], `${at}/${member}`);
    else reading.faults.push(`${at}/${member}`);
  }
};

/** Records the faults of a rule; `ids` are those of the rules before it. */
export const checkRule = (reading: SchemaReading, rule: unknown, at: string, ids: unknown[]): void => {
  const { faults, schema, effects } = reading;
  const known = schema.structure.rule;
  if (!checkMembers(reading, rule, known, at)) return;
  const { id, description, effect: name, when, if_missing, reason } = rule as Any;
  if (!isText(id, known.id) || ids.includes(id)) faults.push(`${at}/id`);
  ids.push(id);
  if (description !== undefined && !isText(description, known.description)) faults.push(`${at}/description`);
  if (!isText(reason, known.reason)) faults.push(`${at}/reason`);
  const isEmpty = when === undefined || (known.when.may_be_empty && isObject(when) && Object.keys(when).length === 0);
  if (!isEmpty) checkCondition(reading, when, `${at}/when`);
  const effect = effects.get(name);
  if (effect === undefined) faults.push(`${at}/effect`);
  else {
    const mayMatch = known.if_missing.words.includes(if_missing) && effect.may_match_on_missing;
    if (if_missing !== undefined && !mayMatch) faults.push(`${at}/if_missing`);
    checkDemands(reading, rule, effect, at);
  }
};
