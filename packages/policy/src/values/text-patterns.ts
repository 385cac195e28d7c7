/**
 * Readings of whole texts, each as one regular expression that means the same to the engine and to the automata of proofs: anchored at both
 * ends, without overlapping alternatives, in the common syntax of RE2 and ECMAScript.
 */

/** Characters that some programs read as a separator or a dot, or decode to one, and control characters. */
const NOT_IN_PATHS = '/%\\\\\\x00-\\x1f\\x7f\u2024\u2025\u2044\u2215\uff0e\uff0f\uff3c';
/** A part of a path that does not consist of dots and spaces alone, so that it leads down. */
const PART = `[. ]*[^. ${NOT_IN_PATHS}][^${NOT_IN_PATHS}]*`;
const DIRECTORY = `/?${PART}(?:/${PART})*/?`;

/** The part of an e-mail address before the `@`: without quotes, comments, lists and the routes of "%" and "!". */
const LOCAL = "[A-Za-z0-9#$&'*+/=?^_`{|}~.-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

const directory = new RegExp(`^${DIRECTORY}$`, 'u');
const domain = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`);

export const DIRECTORY_PATTERN = `^${DIRECTORY}$`;
export const DOMAIN_PATTERN = `^${LABEL}(\\.${LABEL})+$`;

export const isDirectory = (text: string): boolean => directory.test(text);
export const isDomain = (text: string): boolean => domain.test(text);

const address = new RegExp(`^${LOCAL}@([A-Za-z0-9.-]+)$`);

/** Returns the domain of a text that is a single e-mail address, in lower case; null for any other text. */
export const domainOfAddress = (text: string): string | null => address.exec(text)?.[1]?.toLowerCase() ?? null;

const literal = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
const anyCase = (text: string): string => {
  const pieces = [...text].map((character) =>
    /[A-Za-z]/.test(character) ? `[${character.toLowerCase()}${character.toUpperCase()}]` : literal(character),
  );
  return pieces.join('');
};

/** Returns a pattern for texts that equal this one ignoring the case of A to Z. */
export const ignoringCase = (text: string): string => `^${anyCase(text)}$`;
/** Returns a pattern for paths that are certainly the directory or inside it. */
export const pathsUnder = (under: string): string => `^${literal(under.endsWith('/') ? under.slice(0, -1) : under)}(?:/${PART})*/?$`;
/** Returns a pattern for single e-mail addresses in one of the domains. */
export const addressPattern = (domains: readonly string[]): string =>
  `^${LOCAL}@(?:${[...new Set(domains.map((one) => one.toLowerCase()))].map(anyCase).join('|')})$`;
