import { createHash, randomBytes } from 'node:crypto';

/** A PKCE verifier and its S256 challenge (RFC 7636). */
export const newPkce = (): { readonly verifier: string; readonly challenge: string } => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};
