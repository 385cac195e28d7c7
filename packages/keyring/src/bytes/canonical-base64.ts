/** Decodes padded base64; returns null unless the text is its one canonical encoding. */
export const readBase64 = (text: string): Buffer | null => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
};

/**
 * Decodes unpadded base64url; returns null unless the text is its one canonical encoding.
 * Node's decoder skips junk and ignores leftover bits; a text with any of either does not encode back to itself.
 */
export const readBase64Url = (text: string): Buffer | null => {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
};
