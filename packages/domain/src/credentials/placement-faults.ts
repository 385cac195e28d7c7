import type { CredentialScheme, Placement } from '@svc/contract/credentials/credentials.ts';
import type { Fault } from '../tools/fault.ts';
import { CONNECTION_HEADERS } from '../tools/request/connection-headers.ts';

type Member = keyof Placement;
type Members = { readonly needed: readonly Member[]; readonly allowed: readonly Member[] };

/** What the placement of each scheme says. */
const MEMBERS: Readonly<Record<CredentialScheme, Members>> = {
  BEARER: { needed: [], allowed: [] },
  HEADER: { needed: ['header'], allowed: ['prefix'] },
  BASIC: { needed: [], allowed: ['secret_is', 'username'] },
  BODY_FIELD: { needed: ['field'], allowed: [] },
  QUERY: { needed: ['parameter'], allowed: [] },
};

/** What keeps a placement from saying where a secret of this scheme stands, by JSON Pointer. */
export const placementFaults = (scheme: CredentialScheme, placement: Placement): Fault[] => {
  const { needed, allowed } = MEMBERS[scheme];
  const given = Object.keys(placement) as Member[];
  const missing = needed.filter((member) => placement[member] === undefined);
  const foreign = given.filter((member) => !needed.includes(member) && !allowed.includes(member));
  const faults = [
    ...missing.map((member) => ({ pointer: `/placement/${member}`, message: `is needed by the scheme ${scheme}` })),
    ...foreign.map((member) => ({ pointer: `/placement/${member}`, message: `means nothing to the scheme ${scheme}` })),
  ];
  if (placement.header !== undefined && CONNECTION_HEADERS.has(placement.header.toLowerCase()))
    faults.push({ pointer: '/placement/header', message: 'belongs to the connection itself' });
  // A program that keeps headers by name has no place for it.
  if (placement.header?.toLowerCase() === '__proto__') faults.push({ pointer: '/placement/header', message: 'is no name of a header' });
  if (placement.secret_is === 'USERNAME' && placement.username !== undefined)
    faults.push({ pointer: '/placement/username', message: 'is the secret itself where secret_is says USERNAME' });
  return faults;
};

/** A word before the secret that is sent anyway, and would be sent twice. */
export const repeatedPrefixFaults = (scheme: CredentialScheme, { prefix }: Placement, secret = ''): Fault[] => {
  const sent = scheme === 'BEARER' ? 'Bearer' : prefix;
  return sent !== undefined && secret.toLowerCase().startsWith(`${sent.toLowerCase()} `)
    ? [{ pointer: '/secret', message: `begins with ${sent}, which is sent before it anyway: leave it out` }]
    : [];
};
