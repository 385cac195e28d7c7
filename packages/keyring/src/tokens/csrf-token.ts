import { hash } from 'node:crypto';

/** Of a session, by its token: 43 base64url characters that prove to have read what only its own page can, and open nothing by themselves. */
export const csrfTokenOf = (sessionToken: string): string => hash('sha256', `csrf\n${sessionToken}`, 'base64url');
