import type { Fault } from '../fault.ts';
import { formatPointer, readPointer } from '../json-pointer.ts';

/** A text in which `{name}` is a placeholder for a parameter; `{{` and `}}` are literal braces. Dots in a name enter nested objects. */
export type TextTemplate = readonly (string | { readonly name: string })[];

export const parameterName = /^[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*$/;

/** Parses a template; a single brace outside of `{name}` is a fault. */
export const parseText = (text: string): TextTemplate | { readonly fault: string } => {
  const parts: (string | { name: string })[] = [];
  for (const [token, name] of text.matchAll(/\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+/g)) {
    if (name !== undefined && parameterName.test(name)) parts.push({ name });
    else if (token === '{{' || token === '}}') parts.push(token.charAt(0));
    else if (/[{}]/.test(token)) return { fault: 'must contain parameters as {name}, and literal braces doubled' };
    else parts.push(token);
  }
  return parts;
};

/** Returns the one parameter that the whole text consists of, so that its value can be used unconverted. */
export const findSoleName = (template: TextTemplate): string | undefined => {
  const [first] = template;
  return template.length === 1 && typeof first === 'object' ? first.name : undefined;
};

export const listTemplateNames = (template: TextTemplate): readonly string[] =>
  template.flatMap((part) => (typeof part === 'string' ? [] : [part.name]));

/** The value of a parameter by its dotted name; undefined when absent. */
export const readParameter = (parameters: unknown, name: string): unknown => readPointer(parameters, name.split('.'));

export const findParameterFault = (name: string, message: string): Fault => ({
  pointer: formatPointer(['parameters', ...name.split('.')]),
  message,
});

/** Converts a string, number or boolean to text; undefined for anything else, unpaired surrogates included. */
export const formatScalarText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value.isWellFormed() ? value : undefined;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
};

/** Puts the parameters in. Stops at `lengthMax` characters before more memory is spent. */
export const expandText = (template: TextTemplate, parameters: unknown, lengthMax: number): string | Fault => {
  let text = '';
  for (const part of template) {
    const piece = typeof part === 'string' ? part : formatScalarText(readParameter(parameters, part.name));
    if (typeof part === 'object' && piece === undefined) return findParameterFault(part.name, 'must be a string, number or boolean');
    text += piece;
    if (text.length > lengthMax) {
      const message = `produces text of more than ${lengthMax} characters`;
      return typeof part === 'object' ? findParameterFault(part.name, message) : { pointer: '/parameters', message };
    }
  }
  return text;
};
