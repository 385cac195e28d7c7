const KEY = /^[\x21-\x7e]{1,255}$/;

/** Returns the caller's key, or a new unique one. Throws TypeError for a key that cannot be sent. */
export const getIdempotencyKey = (given: string | undefined): string => {
  const key = given ?? crypto.randomUUID();
  if (!KEY.test(key)) throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters.');
  return key;
};

/**
 * Derives the key of a request with an approval: a process that resumes after a crash sends the same one. It includes the request, so that
 * one which is refused for differing from the approved request does not use up the approval.
 */
export const deriveApprovalKey = async (approvalId: string, body: string): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body));
  return `approval-${approvalId}-${Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};
