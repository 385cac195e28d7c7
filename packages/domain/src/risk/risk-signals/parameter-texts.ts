import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';

export type ParameterText = { readonly pointer: string; readonly path: readonly string[]; readonly text: string };
export type ParameterTexts = { readonly texts: readonly ParameterText[]; readonly isPartial: boolean };

const DEPTH_MAX = 16;
const PATH_CHARS_MAX = 120;

const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

const known = new WeakMap<object, ParameterTexts>();

const collect = (root: Readonly<Record<string, unknown>>): ParameterTexts => {
  const texts: ParameterText[] = [];
  let chars = 0;
  let isPartial = false;
  const visit = (value: unknown, path: readonly string[]): void => {
    if (isPartial || value === null) return;
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value).slice(0, RISK_LIMITS.scannedCharsMax - chars);
      chars += text.length;
      isPartial = chars >= RISK_LIMITS.scannedCharsMax || texts.length >= RISK_LIMITS.scannedTextsMax;
      texts.push({ text, path, pointer: `/${path.map(escapeKey).join('/')}`.slice(0, PATH_CHARS_MAX) });
    } else if (typeof value === 'object' && path.length < DEPTH_MAX) {
      for (const [key, member] of Object.entries(value)) visit(member, [...path, key]);
    }
  };
  visit(root, []);
  return { texts, isPartial };
};

/** Texts and numbers in parameters, up to a bound. */
export const listParameterTexts = (parameters: Readonly<Record<string, unknown>>): ParameterTexts => {
  const found = known.get(parameters) ?? collect(parameters);
  known.set(parameters, found);
  return found;
};

/** True if the schema of a tool declares the member, or one around it, as `writeOnly`: it is meant to hold a secret. */
export const isWriteOnly = (schema: Readonly<Record<string, unknown>>, path: readonly string[]): boolean => {
  let at: unknown = schema;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return false;
    const { properties, items } = at as { properties?: Record<string, unknown>; items?: unknown };
    at = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : items;
    if ((at as { writeOnly?: unknown } | undefined)?.writeOnly === true) return true;
  }
  return false;
};
