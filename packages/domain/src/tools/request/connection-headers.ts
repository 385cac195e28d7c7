/**
 * Headers by which two parties agree where a message ends, how it is written and for whom it is; set by anyone else they smuggle a second message
 * past the first. The service says all of them itself.
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
