import type { Fault, Faults } from '../fault.ts';
import { formatPointer } from '../json-pointer.ts';
import { findSpreadNamesFault, listBracketFields, spreadBase } from './bracket-fields.ts';
import {
  expandText,
  findParameterFault,
  findSoleName,
  formatScalarText,
  parseText,
  readParameter,
  type TextTemplate,
} from './text-template.ts';

export type QueryTemplates = readonly (readonly [name: string, value: TextTemplate])[];

const valueMax = 2048;
const itemsMax = 100;

/** Reads `execution.query`. */
export const parseQuery = (query: Readonly<Record<string, string>>): QueryTemplates | Faults => {
  const read = Object.entries(query).map(([name, text]) => [name, parseText(text)] as const);
  const spread = findSpreadNamesFault(Object.keys(query));
  const faults = read.flatMap(([name, value]): readonly Fault[] => {
    const pointer = formatPointer(['execution', 'query', name]);
    if ('fault' in value) return [{ pointer, message: value.fault }];
    if (!name.isWellFormed()) return [{ pointer: '/execution/query', message: 'must have well-formed member names' }];
    if (spreadBase(name) !== undefined && findSoleName(value) === undefined) return [{ pointer, message: SPREAD_VALUE }];
    return spread?.name === name ? [{ pointer, message: spread.message }] : [];
  });
  return faults.length > 0 ? { faults } : read.filter((entry): entry is readonly [string, TextTemplate] => !('fault' in entry[1]));
};

/** Fault of a field `name[*]` that is not wholly one parameter. */
export const SPREAD_VALUE = 'must be exactly one parameter, because [*] writes its members';

const pair = (name: string, text: string): string => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;

const expandSole = (name: string, parameter: string, value: unknown): readonly string[] | Fault => {
  if (value === undefined || value === null) return [];
  const base = spreadBase(name);
  if (base !== undefined) {
    const fields = listBracketFields(base, value, { fieldsMax: itemsMax, valueCharactersMax: valueMax, refusesSecrets: true });
    return typeof fields === 'string' ? findParameterFault(parameter, fields) : fields.map(([each, text]) => pair(each, text));
  }
  const texts = (Array.isArray(value) ? value : [value]).map(formatScalarText);
  if (texts.length > itemsMax || !texts.every((text) => text !== undefined && text.length <= valueMax)) {
    return findParameterFault(
      parameter,
      `must be a string, number or boolean of at most ${valueMax} characters, or a list of up to ${itemsMax} of them`,
    );
  }
  return texts.map((text) => pair(name, text ?? ''));
};

/**
 * Returns the query without its `?`. A member that is exactly one parameter is omitted if that is absent and repeated if it is an array;
 * inside a longer text the parameter is required. A member `name[*]` writes the members of its parameter as `name[member]`.
 */
export const expandQuery = (templates: QueryTemplates, parameters: unknown): string | Faults => {
  const faults: Fault[] = [];
  const pairs: string[] = [];
  for (const [name, template] of templates) {
    const sole = findSoleName(template);
    if (sole === undefined) {
      const text = expandText(template, parameters, valueMax);
      if (typeof text === 'string') pairs.push(pair(name, text));
      else faults.push(text);
      continue;
    }
    const expanded = expandSole(name, sole, readParameter(parameters, sole));
    if ('pointer' in expanded) faults.push(expanded);
    else pairs.push(...expanded);
  }
  return faults.length > 0 ? { faults } : pairs.join('&');
};
