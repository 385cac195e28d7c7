const KEY = /^[\x21-\x7e]{1,255}$/;

/** The caller's key, or one that nobody has used. Throws TypeError for a key that cannot be sent. */
export const keyOf = (given: string | undefined): string => {
  const key = given ?? crypto.randomUUID();
  if (!KEY.test(key)) throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters.');
  return key;
};

/**
 * The key of a request that goes ahead with an approval: whoever resumes after a crash sends the same. It is made of the request as well,
 * so that one that was refused because it is not what was approved leaves the approval to the one that is.
 */
export const keyOfApproval = async (approvalId: string, body: string): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body));
  return `approval-${approvalId}-${Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};
