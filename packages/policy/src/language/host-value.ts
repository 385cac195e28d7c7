import { parseAddress } from '../values/address.ts';
import { normaliseHost } from '../values/normalise-host.ts';
import type { ConditionValueKind } from './value-kinds.ts';

/** Pattern of a piece of a host, as far as a pattern can check it. */
export const HOST_PIECE_PATTERN = '^([^\\s/?#@%*:\\\\]+|[0-9A-Fa-f:.[\\]]+)$';
/** The same for its end, which has no closing dot. */
export const HOST_ENDING_PATTERN = '^([^\\s/?#@%*:\\\\]*[^\\s/?#@%*:\\\\.]|[0-9A-Fa-f:.[\\]]*[0-9A-Fa-f:[\\]])$';

/** Returns the canonical host that requests contain; null if the text is not a host. An IPv6 address may lack its brackets. */
export const hostSpelling = (text: string): string | null =>
  normaliseHost(text) ?? (text.includes(':') && parseAddress(text) !== null ? normaliseHost(`[${text}]`) : null);

/** Returns the likely intent of a text that is not a host. */
const meant = (text: string): string | null => {
  const named = /^\*\.(.+)$/.exec(text)?.[1];
  const parsed = named === undefined ? URL.parse(text.includes('://') ? text : `http://${text}`) : null;
  return hostSpelling(named ?? parsed?.hostname ?? '');
};

/** Returns why a text is not a host, and a correction; null if it is one. */
export const findHostFault = (name: string, text: string): string | null => {
  if (hostSpelling(text) !== null) return null;
  const host = meant(text);
  if (host === null) return `${name} must be a host name or an IP address, for example "api.example.com".`;
  if (text.startsWith('*.')) return `${name} must be a single host; to match all subdomains, use ends_with ".${host}".`;
  const port = /:[0-9]+$/.test(text.replace(/^[^/]*\/\//, '')) ? ' To compare the port, use the field destination.port.' : '';
  return `${name} must be a host without scheme, port, path or spaces: "${host}".${port}`;
};

const NAME_PIECE = /^[a-z0-9_.-]+$/;
const ADDRESS_PIECE = /^[0-9a-f:.[\]]+$/;
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** Returns true if a label of a piece is complete: an end cuts the first one, a beginning the last, and a middle piece both. */
const isWhole = (kind: ConditionValueKind, place: number, last: number): boolean =>
  (place > 0 || kind === 'text') && (place < last || kind === 'ending');

const labelSpelling = (label: string, whole: boolean): string | null => {
  if (isAscii(label)) return label.toLowerCase();
  return whole ? normaliseHost(label) : null;
};

/**
 * Returns the canonical form of a piece of a host: its beginning (`text`), its end (`ending`) or any part of it (`part`). Null for a text
 * that
 * no host contains, and for non-ASCII letters in a label that the piece cuts, since such a label is compared as a whole.
 */
export const hostPieceSpelling = (kind: ConditionValueKind, piece: string): string | null => {
  if (ADDRESS_PIECE.test(piece.toLowerCase())) return piece.toLowerCase();
  const labels = piece.split(/[.\u3002\uff0e\uff61]/);
  const spelled = labels.map((label, place) => labelSpelling(label, isWhole(kind, place, labels.length - 1)));
  if (spelled.includes(null)) return null;
  const joined = spelled.join('.');
  return NAME_PIECE.test(joined) ? joined : null;
};

/** Returns why a text is not a piece of a host, and a correction; null if it is one. */
export const findHostPieceFault = (name: string, kind: ConditionValueKind, piece: string): string | null => {
  if (hostPieceSpelling(kind, piece) !== null) return null;
  const host = isAscii(piece) ? meant(piece) : null;
  if (host !== null)
    return `${name} contains only a host, without scheme, port, path or spaces, so no value contains this text: "${host}".`;
  return `${name} contains letters, digits, dots, hyphens and underscores; a label with other letters is compared as a whole, so start and end this text at dots, for example ".bücher.example".`;
};

/** Returns why a pattern matches no host; null if it may. */
export const findHostPatternFault = (name: string, pattern: string): string | null =>
  isAscii(pattern)
    ? null
    : `${name} contains names in ASCII (bücher is xn--bcher-kva); write the pattern in ASCII, or use eq, in or ends_with.`;
