const SENTINEL = /^=\?base64\?([A-Za-z0-9+/]{0,12288}={0,2})\?=$/;

/** Decodes a header value that may be encoded as `=?base64?...?=`, as values outside plain ASCII are. */
export const decodeHeaderValue = (value: string): string => {
  const encoded = SENTINEL.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
};
