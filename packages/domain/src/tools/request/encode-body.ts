import type { Fault, Faults } from '../fault.ts';
import { listBracketFields, spreadBase } from './bracket-fields.ts';
import type { BodyFormat } from './request-body.ts';
import { formatScalarText } from './text-template.ts';

const bodyMax = 1_048_576;

const itemsMax = 100;

/** Returns the texts of one field, which is repeated for a list; undefined unless it is a plain value or a list of them. */
const fieldTexts = (member: unknown): readonly string[] | undefined => {
  if (member === null) return [];
  const texts = (Array.isArray(member) ? member : [member]).map(formatScalarText);
  return texts.length <= itemsMax && texts.every((text) => text !== undefined) ? texts : undefined;
};

const SPREAD = { fieldsMax: 500, valueCharactersMax: bodyMax, refusesSecrets: false };

/** The fields that one member of a form becomes, or the reason that it becomes none. */
const memberFields = (name: string, member: unknown, isTemplate: boolean): readonly (readonly [string, string])[] | string => {
  const base = isTemplate ? spreadBase(name) : undefined;
  if (base !== undefined) {
    const fields = listBracketFields(base, member, SPREAD);
    return typeof fields === 'string' ? `${fields}, as ${name}` : fields;
  }
  const texts = fieldTexts(member);
  return texts === undefined
    ? `must have a string, number or boolean, or a list of up to ${itemsMax} of them, as ${name}`
    : texts.map((text) => [name, text ?? ''] as const);
};

const formText = (value: unknown, isTemplate: boolean): string | Faults => {
  const faults: Fault[] = [];
  const form = new URLSearchParams();
  for (const [name, member] of Object.entries(value as Readonly<Record<string, unknown>>)) {
    const fields = memberFields(name, member, isTemplate);
    if (typeof fields === 'string') faults.push({ pointer: '/parameters', message: fields });
    else for (const [field, text] of fields) form.append(field, text);
  }
  return faults.length > 0 ? { faults } : form.toString();
};

const encode = (value: unknown, format: BodyFormat, isTemplate: boolean): string | Faults => {
  if (format === 'application/json') return JSON.stringify(value);
  if (format === 'application/x-www-form-urlencoded') return formText(value, isTemplate);
  return formatScalarText(value) ?? { faults: [{ pointer: '/parameters', message: 'must be a string, because it is the body' }] };
};

/** A body as it is sent, filled from a template or the parameters themselves. Null members of a form are left out. */
export const encodeBody = (value: unknown, format: BodyFormat, isTemplate: boolean): string | Faults => {
  const text = encode(value, format, isTemplate);
  if (typeof text === 'string' && text.length > bodyMax) {
    return { faults: [{ pointer: '/parameters', message: `produce a body of more than ${bodyMax} characters` }] };
  }
  return text;
};
