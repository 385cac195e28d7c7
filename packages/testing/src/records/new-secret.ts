import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';

/** A secret of one kind that nobody was given, such as the code of an invitation. */
export const newSecret = (kind: keyof typeof SECRET_PREFIXES): string => newSecretToken(SECRET_PREFIXES[kind]);

/** The one form in which it is stored. */
export const storedHash = (secret: string): Buffer => hashSecret(secret);
