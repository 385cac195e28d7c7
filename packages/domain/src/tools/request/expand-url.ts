import { parseTemplate } from 'url-template';
import { isDestinationFault, parseDestination } from '../destinations/parse-destination.ts';
import type { Fault, Faults } from '../fault.ts';
import { findParameterFault, formatScalarText, readParameter } from './text-template.ts';
import { hasDotSegment, type UrlExpression, type UrlTemplate } from './url-template.ts';

const valueMax = 2048;
const urlMax = 8192;

const readValue = (value: unknown, place: UrlExpression['place']): string | string[] | undefined => {
  if (place === 'query' && Array.isArray(value)) {
    const texts = value.map(formatScalarText);
    return texts.every((text) => text !== undefined) ? texts : undefined;
  }
  return formatScalarText(value);
};

/** A separator in a value that its encoding would not escape starts another part of the URL. */
const valueFault = (text: string, { place, operator }: UrlExpression, modifier: string): string | undefined => {
  const { length } = text;
  if (length > valueMax) return `must be at most ${valueMax} characters long for use in a URL`;
  if (modifier.startsWith(':') && !text.slice(0, Number(modifier.slice(1))).isWellFormed()) return 'must be well-formed Unicode';
  if (place === 'query') return operator === '+' && /[&#]/.test(text) ? 'must not contain & or #' : undefined;
  if (length === 0) return 'must not be empty, because it is a part of the URL';
  if (place === 'authority') return /^[A-Za-z0-9.-]+$/.test(text) ? undefined : 'must contain only letters, digits, dots and hyphens';
  if (/\p{Cc}/u.test(text)) return 'must not contain control characters';
  if (operator === '+' && /[?#]/.test(text)) return 'must not contain ? or #';
  if (operator === '+' && /%(?:[01][0-9a-f]|7f)/i.test(text)) return 'must not contain control characters';
  return hasDotSegment(text) ? 'must not have . or .. as a path segment' : undefined;
};

type NamedValue = { readonly name: string; readonly value: string | string[] };

const readExpressionValues = (expression: UrlExpression, parameters: unknown): readonly (NamedValue | Fault)[] =>
  expression.variables.flatMap(({ name, modifier }) => {
    const given = readParameter(parameters, name);
    // Only a query may leave something out; a path or host with a hole in it names another resource.
    if (expression.place === 'query' && (given === undefined || given === null)) return [];
    const value = readValue(given, expression.place);
    if (value === undefined) return [findParameterFault(name, 'must be a string, number or boolean')];
    const fault = [value]
      .flat()
      .map((text) => valueFault(text, expression, modifier))
      .find((message) => message !== undefined);
    return [fault === undefined ? { name, value } : findParameterFault(name, fault)];
  });

/** Proves on the finished URL that no parameter moved it: same scheme, no userinfo, the host of the template when that is literal. */
const checkExpanded = (expanded: string, template: UrlTemplate): URL | Fault => {
  const pointer = '/parameters';
  if (expanded.length > urlMax) return { pointer, message: `produce a URL of more than ${urlMax} characters` };
  const destination = parseDestination(expanded);
  if (isDestinationFault(destination)) return { pointer, message: `produce a URL that ${destination.fault}` };
  const url = URL.parse(expanded);
  const [scheme] = template.text.split(':', 1);
  if (url === null || destination.scheme !== scheme?.toLowerCase()) return { pointer, message: 'do not produce a valid URL' };
  const fixed = template.destination;
  if (fixed !== undefined && (fixed.host !== destination.host || fixed.port !== destination.port)) {
    return { pointer, message: 'must not change the host or port of the URL' };
  }
  const path = expanded.slice(expanded.indexOf('//') + 2).split('?', 1)[0] ?? '';
  return hasDotSegment(path) ? { pointer, message: 'must not produce . or .. as a path segment' } : url;
};

/**
 * Expands the parameters in the URL. They cannot change scheme, host or port unless the template names them there, cannot leave the
 * path, and cannot start a query or fragment; in a path or host each is required.
 */
export const expandUrl = (template: UrlTemplate, parameters: unknown): URL | Faults => {
  // No prototype: nothing inherited can be expanded.
  const values: Record<string, string | string[]> = Object.create(null);
  const faults: Fault[] = [];
  for (const item of template.expressions.flatMap((expression) => readExpressionValues(expression, parameters))) {
    if ('pointer' in item) faults.push(item);
    else values[item.name] = item.value;
  }
  if (faults.length > 0) return { faults };
  const expanded = checkExpanded(parseTemplate(template.text).expand(values), template);
  return expanded instanceof URL ? expanded : { faults: [expanded] };
};
