import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';

/** Generates a secret of one kind that no one was given, such as the code of an invitation. */
export const newSecret = (kind: keyof typeof SECRET_PREFIXES): string => newSecretToken(SECRET_PREFIXES[kind]);

/** Returns its only stored form. */
export const getStoredHash = (secret: string): Buffer => hashSecret(secret);
