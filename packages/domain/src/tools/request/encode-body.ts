import type { Fault, Faults } from '../fault.ts';
import type { BodyFormat } from './request-body.ts';
import { scalarText } from './text-template.ts';

const bodyMax = 1_048_576;

const formText = (value: unknown): string | Faults => {
  const faults: Fault[] = [];
  const form = new URLSearchParams();
  for (const [name, member] of Object.entries(value as Readonly<Record<string, unknown>>)) {
    const text = scalarText(member);
    if (text !== undefined) form.append(name, text);
    else if (member !== null)
      faults.push({ pointer: '/parameters', message: `must give the form's ${name} as a string, number or boolean` });
  }
  return faults.length > 0 ? { faults } : form.toString();
};

const encode = (value: unknown, format: BodyFormat): string | Faults => {
  if (format === 'application/json') return JSON.stringify(value);
  if (format === 'application/x-www-form-urlencoded') return formText(value);
  return scalarText(value) ?? { faults: [{ pointer: '/parameters', message: 'must give the body as text' }] };
};

/** A filled body as it is sent. Null members of a form are left out. */
export const encodeBody = (value: unknown, format: BodyFormat): string | Faults => {
  const text = encode(value, format);
  if (typeof text === 'string' && text.length > bodyMax) {
    return { faults: [{ pointer: '/parameters', message: `make a body of more than ${bodyMax} characters` }] };
  }
  return text;
};
