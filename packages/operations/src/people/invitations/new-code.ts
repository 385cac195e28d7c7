import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';

const DAY_MS = 86_400_000;

/** Creates a code that only the mail contains, and its expiry. */
export const newCode = (now: Date) => {
  const code = newSecretToken(SECRET_PREFIXES.invitation);
  return { code, code_hash: hashSecret(code), expires_at: new Date(now.getTime() + LIMITS.invitations.lifetimeDays * DAY_MS) };
};
