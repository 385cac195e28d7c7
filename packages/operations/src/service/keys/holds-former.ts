import { SEALED_COLUMNS } from '@svc/keyring/sealed/sealed-columns.ts';

/** Tables whose files may hold what a former master key opens. */
export const HOLDS_FORMER: readonly string[] = ['installation_keys', ...new Set(SEALED_COLUMNS.map(({ table }) => table))];
