import { createHmac } from 'node:crypto';

/**
 * Derives 43 base64url characters from a secret for one purpose (HMAC-SHA256): they reveal nothing of it or of those for another purpose.
 */
export const formatDerivedText = (secret: string, purpose: string): string =>
  createHmac('sha256', secret).update(purpose).digest('base64url');
