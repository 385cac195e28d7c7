import { hash } from 'node:crypto';

/**
 * Derives the CSRF token of a session from the session token: 43 base64url characters that only the session's own page can read, and that
 * authenticate nothing by themselves.
 */
export const deriveCsrfToken = (sessionToken: string): string => hash('sha256', `csrf\n${sessionToken}`, 'base64url');
