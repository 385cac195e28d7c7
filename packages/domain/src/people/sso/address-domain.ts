/** Returns the domain of an e-mail address, in lower case; undefined if the text is not one address. */
export const getAddressDomain = (email: string): string | undefined => {
  if (/[\s\p{Cc}]/u.test(email)) return undefined;
  const parts = email.toLowerCase().split('@');
  return parts.length === 2 && parts[0] !== '' && parts[1] !== '' ? parts[1] : undefined;
};
