const ENCODED = /^=\?base64\?(.*)\?=$/s;

/** Decodes a header value, which is `=?base64?...?=` for a value outside plain ASCII; undefined if that part is no padded base64 of UTF-8. */
export const decodeHeaderValue = (value: string): string | undefined => {
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return value;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  return Buffer.from(decoded, 'utf8').toString('base64') === encoded ? decoded : undefined;
};
