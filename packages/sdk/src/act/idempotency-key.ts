const KEY = /^[\x21-\x7e]{1,255}$/;

/** The caller's key, or one that nobody has used. Throws TypeError for a key that cannot be sent. */
export const keyOf = (given: string | undefined): string => {
  const key = given ?? crypto.randomUUID();
  if (!KEY.test(key)) throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters.');
  return key;
};
