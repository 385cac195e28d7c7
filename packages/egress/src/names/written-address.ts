import { isIP } from 'node:net';

/**
 * Returns the networks of a literal address in an operator's setting, which may therefore be called; a name may only lead to public or
 * allowed ones.
 */
export const writtenAddress = (url: string): readonly string[] => {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost') return ['127.0.0.0/8', '::1/128'];
  const family = isIP(host);
  return family === 0 ? [] : [`${host}/${family === 4 ? 32 : 128}`];
};
