/** Splits `host[:port]`, the host still as written. IPv6 needs brackets, since its own colons would be taken for the port's. */
export const splitPort = (text: string): { readonly hostText: string; readonly port?: number } | { readonly fault: string } => {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(text);
  if (match === null) return { fault: 'must be one host, optionally with :port; write an IPv6 address in brackets' };
  const [, hostText = '', portText] = match;
  if (portText === undefined) return { hostText };
  const port = /^[0-9]{1,5}$/.test(portText) ? Number(portText) : 0;
  return port >= 1 && port <= 65_535 ? { hostText, port } : { fault: 'must have a port between 1 and 65535' };
};
