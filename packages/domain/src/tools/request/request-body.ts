import type { GraphqlCall } from '@svc/contract/tools/call-terms.ts';
import type { Fault, Faults } from '../fault.ts';
import { formatPointer } from '../json-pointer.ts';
import { findSpreadNamesFault, spreadBase } from './bracket-fields.ts';
import { SPREAD_VALUE } from './request-query.ts';
import { expandText, findSoleName, listTemplateNames, parseText, readParameter, type TextTemplate } from './text-template.ts';

/** A JSON value in which strings are templates. Member names are taken as they are. */
export type BodyTemplate =
  /** All the parameters. */
  | { readonly whole: true }
  | { readonly literal: unknown }
  | { readonly text: TextTemplate }
  | { readonly items: readonly BodyTemplate[] }
  | { readonly members: readonly (readonly [string, BodyTemplate])[] };

export const BODY_FORMATS = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'] as const;
export type RequestBodyFormat = (typeof BODY_FORMATS)[number];

const depthMax = 32;
const namesMax = 64;
const textMax = 262_144;

const read = (value: unknown, path: readonly string[], faults: Fault[]): BodyTemplate => {
  if (typeof value === 'string') {
    const text = parseText(value);
    if (!('fault' in text)) return { text };
    faults.push({ pointer: formatPointer(path), message: text.fault });
  }
  if (typeof value !== 'object' || value === null) return { literal: value };
  if (path.length > depthMax) {
    faults.push({ pointer: formatPointer(path), message: `must not nest deeper than ${depthMax}` });
    return { literal: null };
  }
  if (Array.isArray(value)) return { items: value.map((item, index) => read(item, [...path, String(index)], faults)) };
  return { members: Object.entries(value).map(([name, member]) => [name, read(member, [...path, name], faults)] as const) };
};

/** The body of a GraphQL call. Its document is a literal: nothing that comes as a parameter is ever read as a part of it. */
export const parseGraphql = ({ query, operation_name, variables }: GraphqlCall): BodyTemplate | Faults => {
  const faults: Fault[] = [];
  const template = variables === undefined ? { whole: true as const } : read(variables, ['execution', 'graphql', 'variables'], faults);
  if (listBodyNames(template).length > namesMax)
    faults.push({ pointer: '/execution/graphql/variables', message: `must not refer to parameters more than ${namesMax} times` });
  if (faults.length > 0) return { faults };
  const operation = operation_name === undefined ? [] : [['operationName', { literal: operation_name }] as const];
  return { members: [['query', { literal: query }], ...operation, ['variables', template]] };
};

/** Every parameter a body names, repeats included. */
export const listBodyNames = (template: BodyTemplate): readonly string[] => {
  if ('text' in template) return listTemplateNames(template.text);
  if ('items' in template) return template.items.flatMap(listBodyNames);
  return 'members' in template ? template.members.flatMap(([, member]) => listBodyNames(member)) : [];
};

const isFlat = (template: BodyTemplate): boolean =>
  'members' in template && template.members.every(([, member]) => 'text' in member || ('literal' in member && member.literal !== null));

/** Faults of fields of a form that are written as `name[*]`. */
const spreadFaults = (template: BodyTemplate): readonly Fault[] => {
  if (!('members' in template)) return [];
  const spread = findSpreadNamesFault(template.members.map(([name]) => name));
  return template.members.flatMap(([name, member]) => {
    const pointer = formatPointer(['execution', 'body', name]);
    const isSole = 'text' in member && findSoleName(member.text) !== undefined;
    if (spreadBase(name) !== undefined && !isSole) return [{ pointer, message: SPREAD_VALUE }];
    return spread?.name === name ? [{ pointer, message: spread.message }] : [];
  });
};

/** Reads `execution.body` for the format it will be sent in. */
export const parseBody = (body: unknown, format: RequestBodyFormat): BodyTemplate | Faults => {
  const pointer = '/execution/body';
  const faults: Fault[] = [];
  const template = read(body, ['execution', 'body'], faults);
  if (listBodyNames(template).length > namesMax)
    faults.push({ pointer, message: `must not refer to parameters more than ${namesMax} times` });
  if (format === 'application/x-www-form-urlencoded' && !isFlat(template)) {
    faults.push({ pointer, message: 'must be an object of strings, numbers and booleans to be sent as a form' });
  }
  if (format === 'application/x-www-form-urlencoded') faults.push(...spreadFaults(template));
  if (format === 'text/plain' && !('text' in template)) faults.push({ pointer, message: 'must be a string to be sent as plain text' });
  return faults.length > 0 ? { faults } : template;
};

const absent = Symbol('absent');

const expand = (template: BodyTemplate, parameters: unknown, faults: Fault[]): unknown => {
  if ('literal' in template) return template.literal;
  if ('whole' in template) return parameters;
  if ('items' in template) return template.items.map((item) => expand(item, parameters, faults)).filter((item) => item !== absent);
  if ('members' in template) {
    const members = template.members.map(([name, member]) => [name, expand(member, parameters, faults)] as const);
    // Defines own members, so that a member named __proto__ stays a member.
    return Object.fromEntries(members.filter(([, value]) => value !== absent));
  }
  const sole = findSoleName(template.text);
  if (sole !== undefined) {
    const value = readParameter(parameters, sole);
    return value === undefined ? absent : value;
  }
  const text = expandText(template.text, parameters, textMax);
  if (typeof text === 'string') return text;
  faults.push(text);
  return absent;
};

/**
 * Fills the template: a string that is exactly `{name}` becomes that parameter's JSON value; if it is absent, the member is removed too.
 * Undefined if the whole body is one absent parameter: an optional body.
 */
export const fillBody = (template: BodyTemplate, parameters: unknown): { readonly value: unknown } | Faults | undefined => {
  const faults: Fault[] = [];
  const value = expand(template, parameters, faults);
  if (faults.length > 0) return { faults };
  return value === absent ? undefined : { value };
};
