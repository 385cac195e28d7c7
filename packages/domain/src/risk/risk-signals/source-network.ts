import { newWords, readAddress } from '@svc/policy/values/read-address.ts';

const words = newWords();

/** The /24 network of an IPv4 address or the /48 network of an IPv6 address; null for anything else. */
export const sourceNetwork = (address: string): string | null => {
  const family = readAddress(address, words);
  if (family === 0) return null;
  if (family === 4) {
    const word = words[3] as number;
    return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.0/24`;
  }
  const [first, second] = words as unknown as readonly [number, number];
  return `${(first >>> 16).toString(16)}:${(first & 65_535).toString(16)}:${(second >>> 16).toString(16)}::/48`;
};
