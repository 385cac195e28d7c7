/** Matches addresses of resources with the template of a server (RFC 6570), in time linear in the address for each part of the template. */
import { LIMITS } from '@svc/contract/tables/limits.ts';

/** A part of a template: a text, or a variable that stands for at least one character of a class. An optional part may be missing with its variable. */
type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly fits: (character: string) => boolean; readonly isOptional: boolean };

/** A template that cannot be matched: the rest of a sentence that begins with its name. */
export type TemplateFault = { readonly fault: string };

const { uriCharsMax } = LIMITS.mcp;
const PARTS_MAX = 64;

const EXPRESSION = /\{([^{}]*)\}/gu;
const NAMES = /^([+#/?&]?)([A-Za-z0-9_.]{1,64}\*?(?:,[A-Za-z0-9_.]{1,64}\*?){0,15})$/u;

/** A variable without an operator stays within a segment of the path, or within a value of the query. */
const isSegment = (character: string): boolean => /[A-Za-z0-9\-._~%!$'()*,:;@+]/u.test(character);
const isReserved = (character: string): boolean => /[\x21-\x7e]/u.test(character) && !/["<>\\^`{|}]/u.test(character);
const isQuery = (character: string): boolean => isReserved(character) && character !== '#';

const variable = (fits: (character: string) => boolean, isOptional = false): Part => ({ kind: 'variable', fits, isOptional });

const readExpression = (text: string): readonly Part[] | TemplateFault => {
  const [, operator = '', names = ''] = NAMES.exec(text) ?? [];
  if (names === '') return { fault: `contains the expression {${text.slice(0, 64)}}, which is not supported` };
  const count = names.split(',').length;
  if (operator === '' && count > 1) return { fault: `contains the expression {${text}} with several variables, which is not supported` };
  if (operator === '+' || operator === '#')
    return [...(operator === '#' ? [{ kind: 'text', text: '#' } as const] : []), variable(isReserved)];
  if (operator === '/') return Array.from({ length: count }, () => [{ kind: 'text', text: '/' } as const, variable(isSegment)]).flat();
  // A query may be left out, whole or in part.
  if (operator === '?' || operator === '&') return [variable(isQuery, true)];
  return [variable(isSegment)];
};

/** Reads a template, or returns why no address can be matched with it. */
export const readUriTemplate = (template: string): readonly Part[] | TemplateFault => {
  if (template.length > uriCharsMax) return { fault: `must be at most ${uriCharsMax} characters` };
  const parts: Part[] = [];
  let at = 0;
  for (const match of template.matchAll(EXPRESSION)) {
    if (match.index > at) parts.push({ kind: 'text', text: template.slice(at, match.index) });
    const read = readExpression(match[1] ?? '');
    if ('fault' in read) return read;
    parts.push(...read);
    at = match.index + match[0].length;
  }
  if (at < template.length) parts.push({ kind: 'text', text: template.slice(at) });
  if (parts.length > PARTS_MAX) return { fault: `must have at most ${PARTS_MAX} parts` };
  if (parts.some((part) => part.kind === 'text' && !/^[\x21-\x7e]*$/u.test(part.text)))
    return { fault: 'must be an address of printable ASCII' };
  if (parts.some((part) => part.kind === 'text' && /[{}]/u.test(part.text))) return { fault: 'contains a brace that ends no expression' };
  return parts;
};

/** Adds the positions behind a part, for each position before it. */
const advance = (uri: string, part: Part, before: Uint8Array): Uint8Array => {
  const after = new Uint8Array(uri.length + 1);
  if (part.kind === 'text') {
    for (let at = 0; at <= uri.length; at += 1) if (before[at] === 1 && uri.startsWith(part.text, at)) after[at + part.text.length] = 1;
    return after;
  }
  let isInside = false;
  for (let at = 0; at <= uri.length; at += 1) {
    if (isInside || (part.isOptional && before[at] === 1)) after[at] = 1;
    const character = uri.charAt(at);
    isInside = (isInside || before[at] === 1) && character !== '' && part.fits(character);
  }
  return after;
};

const ESCAPED_DOTS_OR_SEPARATORS = /%(?:2e|2f|5c|25|00)/iu;

/** True for an address that servers read differently: with dot segments, or with escaped dots, separators or percent signs. */
const isAmbiguous = (uri: string): boolean =>
  ESCAPED_DOTS_OR_SEPARATORS.test(uri) || uri.split(/[/?#\\]/u).some((segment) => segment === '.' || segment === '..');

/** Returns true if the address is an expansion of the template that every server reads in the same way. */
export const isUriOfTemplate = (template: string, uri: unknown): boolean => {
  if (typeof uri !== 'string' || uri.length > uriCharsMax || isAmbiguous(uri)) return false;
  const parts = readUriTemplate(template);
  if ('fault' in parts) return false;
  let positions = new Uint8Array(uri.length + 1);
  positions[0] = 1;
  for (const part of parts) positions = advance(uri, part, positions) as Uint8Array<ArrayBuffer>;
  return positions[uri.length] === 1;
};
