import type { CredentialScheme } from '@svc/contract/credentials/credentials.ts';
import { basic } from './basic.ts';
import { bearer } from './bearer.ts';
import { bodyField } from './body-field.ts';
import { header } from './header.ts';
import { query } from './query.ts';
import type { Scheme } from './scheme.ts';

/** All credential schemes, one file each. */
export const SCHEMES: Readonly<Record<CredentialScheme, Scheme>> = {
  BEARER: bearer,
  HEADER: header,
  BASIC: basic,
  BODY_FIELD: bodyField,
  QUERY: query,
};
