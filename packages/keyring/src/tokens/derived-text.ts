import { createHmac } from 'node:crypto';

/** 43 base64url characters that follow from a secret for one purpose (HMAC-SHA256): they tell nothing of it, nor of those of another purpose. */
export const derivedText = (secret: string, purpose: string): string => createHmac('sha256', secret).update(purpose).digest('base64url');
