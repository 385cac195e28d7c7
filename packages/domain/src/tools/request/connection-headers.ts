/**
 * Headers that define the framing, encoding and recipient of a message; set by a caller they allow request smuggling.
 * The service sets all of them itself.
 */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
