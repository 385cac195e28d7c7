import type { KeyObject } from 'node:crypto';

/** Dependencies of the handlers of incidents and emergency controls. */
export type IncidentsDeps = { readonly cursorKey: KeyObject };
