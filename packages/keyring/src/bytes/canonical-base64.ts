/** The bytes of a padded base64 text, or null when the text is not the one canonical spelling of them. */
export const readBase64 = (text: string): Buffer | null => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
};

/**
 * The bytes of an unpadded base64url text, or null when the text is not the one canonical spelling of them.
 * Node's decoder skips junk and ignores leftover bits; a text with any of either does not encode back to itself.
 */
export const readBase64Url = (text: string): Buffer | null => {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
};
