import type { ExtraPosition } from '@svc/contract/credentials/credentials.ts';
import { bodyField } from './body-field.ts';
import { header } from './header.ts';
import { query } from './query.ts';
import type { CredentialSlot } from './slot.ts';

/** All positions in a request that a secret can be in. */
export const SLOTS: Readonly<Record<ExtraPosition, CredentialSlot>> = { HEADER: header, QUERY: query, BODY_FIELD: bodyField };
