import type { BrowserTerms } from './terms.ts';

/** Returns the value of a cookie by its exact name; `twice` if it occurs more than once and is ambiguous. */
export const readCookie = (header: string | undefined, name: string): string | 'twice' | undefined => {
  if (header === undefined || !header.includes(name)) return undefined;
  const values = header.split(';').flatMap((part) => {
    const at = part.indexOf('=');
    return at !== -1 && part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : [];
  });
  return values.length > 1 ? 'twice' : values[0];
};

const listAttributes = (terms: BrowserTerms): string => `Path=/; HttpOnly; SameSite=Lax${terms.isSecure() ? '; Secure' : ''}`;

export const buildSessionCookie = (terms: BrowserTerms, token: string, seconds: number): string =>
  `${terms.cookie()}=${token}; Max-Age=${Math.max(0, Math.floor(seconds))}; ${listAttributes(terms)}`;

export const buildExpiredCookie = (terms: BrowserTerms): string => `${terms.cookie()}=; Max-Age=0; ${listAttributes(terms)}`;
