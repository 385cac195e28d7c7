const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const wholeNameMax = 253;

/**
 * The one spelling of a host under which two texts that reach the same place compare equal: lower case, punycode, no trailing dot, IPv4 in
 * its four decimal parts however it was written (127.1, 0x7f000001, 2130706433), IPv6 compressed and in brackets. Null when it is no host.
 */
export const normaliseHost = (text: string): string | null => {
  // The URL parser reads these as the end of the host or drops them silently, so a text that holds one is not just a host.
  if (text === '' || /[\p{Cc}\s/?#@\\%]/u.test(text)) return null;
  if (!text.startsWith('[') && text.includes(':')) return null;
  const parsed = URL.parse(`http://${text}/`);
  if (parsed === null || parsed.port !== '') return null;
  const host = parsed.hostname;
  if (host.startsWith('[')) return host;
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  return name.length <= wholeNameMax && name.split('.').every((part) => label.test(part)) ? name : null;
};
