import { toLine } from './draft/reading.ts';

/** A scheme, and no host that is followed by a port or by a variable for it. */
const SCHEME = /^\s*([A-Za-z][A-Za-z\d+.-]*):(?![\d{])/;

/** Returns why an address cannot be called, as the end of a sentence; undefined if it has no scheme, or one that tools call. */
export const findSchemeFault = (address: string): string | undefined => {
  const [, scheme] = SCHEME.exec(address) ?? [];
  return scheme === undefined || /^https?$/i.test(scheme)
    ? undefined
    : `has the scheme ${toLine(scheme.toLowerCase(), 20)}, but tools call only http and https.`;
};
