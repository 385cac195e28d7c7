import type { Fault, Faults } from '../fault.ts';
import type { BodyFormat } from './request-body.ts';
import { scalarText } from './text-template.ts';

const bodyMax = 1_048_576;

const itemsMax = 100;

/** The texts of one field, which is repeated for a list; undefined where it is neither a plain value nor a list of them. */
const fieldTexts = (member: unknown): readonly string[] | undefined => {
  if (member === null) return [];
  const texts = (Array.isArray(member) ? member : [member]).map(scalarText);
  return texts.length <= itemsMax && texts.every((text) => text !== undefined) ? texts : undefined;
};

const formText = (value: unknown): string | Faults => {
  const faults: Fault[] = [];
  const form = new URLSearchParams();
  for (const [name, member] of Object.entries(value as Readonly<Record<string, unknown>>)) {
    const texts = fieldTexts(member);
    for (const text of texts ?? []) form.append(name, text);
    if (texts === undefined)
      faults.push({
        pointer: '/parameters',
        message: `must have a string, number or boolean, or a list of up to ${itemsMax} of them, as ${name}`,
      });
  }
  return faults.length > 0 ? { faults } : form.toString();
};

const encode = (value: unknown, format: BodyFormat): string | Faults => {
  if (format === 'application/json') return JSON.stringify(value);
  if (format === 'application/x-www-form-urlencoded') return formText(value);
  return scalarText(value) ?? { faults: [{ pointer: '/parameters', message: 'must be a string, because it is the body' }] };
};

/** A filled body as it is sent. Null members of a form are left out. */
export const encodeBody = (value: unknown, format: BodyFormat): string | Faults => {
  const text = encode(value, format);
  if (typeof text === 'string' && text.length > bodyMax) {
    return { faults: [{ pointer: '/parameters', message: `produce a body of more than ${bodyMax} characters` }] };
  }
  return text;
};
