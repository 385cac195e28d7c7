const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const wholeNameMax = 253;

/**
 * Returns the canonical form of a host, in which two texts with the same destination are equal: lower case, punycode, no trailing dot, IPv4
 * in
 * four decimal parts from any notation (127.1, 0x7f000001, 2130706433), IPv6 compressed and in brackets. Null if it is not a host.
 */
export const normaliseHost = (text: string): string | null => {
  // The URL parser treats these as the end of the host or drops them silently, so a text with one is not just a host.
  if (text === '' || /[\p{Cc}\s/?#@\\%]/u.test(text)) return null;
  if (!text.startsWith('[') && text.includes(':')) return null;
  const parsed = URL.parse(`http://${text}/`);
  if (parsed === null || parsed.port !== '') return null;
  const host = parsed.hostname;
  if (host.startsWith('[')) return host;
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  return name.length <= wholeNameMax && name.split('.').every((part) => label.test(part)) ? name : null;
};
