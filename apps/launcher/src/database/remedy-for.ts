import { isTlsFault } from '@svc/postgres/connection/is-unavailable.ts';

const AUTHORITY = 'sslmode=verify-full&sslrootcert=/the/file/of/its/authority.pem';

/** Returns the remedy for an unreachable database, by its error: half a sentence without a full stop. */
export const getDatabaseRemedy = (error: unknown, why: string): string => {
  const { code } = error as { readonly code?: unknown };
  if (/no encryption|SSL off/.test(why)) return `it asks for TLS, so add ?${AUTHORITY} to the address`;
  if (/does not support SSL/.test(why)) return 'it speaks no TLS, so turn that on there, or take sslmode out of the address';
  if (typeof code === 'string' && isTlsFault(code))
    return `its certificate was not taken, so name who signed it with ${AUTHORITY}, and the server by a name that stands in the certificate`;
  if (/ENOTFOUND|EAI_AGAIN/.test(why))
    return 'see that the name is right, and that a password has %40 for @, %2F for /, %3A for :, %23 for #, %3F for ? and %25 for %';
  if (/^ENOENT.* open /.test(why)) return 'see that the files that the address names are there';
  return 'see that it runs, and that the address names a user who may create roles and tables in it';
};
