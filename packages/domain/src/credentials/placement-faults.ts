import type { CredentialExtra, CredentialScheme, Placement } from '@svc/contract/credentials/credentials.ts';
import type { Fault } from '../tools/fault.ts';
import { SCHEMES } from './schemes/schemes.ts';
import { SLOTS } from './slots/slots.ts';

/** Returns the faults of a placement for a scheme, with JSON Pointers. */
export const findPlacementFaults = (scheme: CredentialScheme, placement: Placement): Fault[] => {
  const { needs, allows, faults } = SCHEMES[scheme];
  const given = Object.keys(placement) as (keyof Placement)[];
  const missing = needs.filter((member) => placement[member] === undefined);
  const foreign = given.filter((member) => !needs.includes(member) && !allows.includes(member));
  return [
    ...missing.map((member) => ({ pointer: `/placement/${member}`, message: `is needed by the scheme ${scheme}` })),
    ...foreign.map((member) => ({ pointer: `/placement/${member}`, message: `means nothing to the scheme ${scheme}` })),
    ...faults(placement),
  ];
};

const writeKey = ({ in: position, name }: CredentialExtra): string => `${position} ${SLOTS[position].keyOf(name)}`;

/** Headers that describe the body, not the caller. */
const DESCRIBES_BODY: ReadonlySet<string> = new Set(['HEADER content-type', 'HEADER content-encoding']);

const findNameFault = (item: CredentialExtra, taken: ReadonlySet<string>): string | undefined => {
  const fault = SLOTS[item.in].nameFault(item.name);
  if (fault !== undefined) return fault;
  if (DESCRIBES_BODY.has(writeKey(item))) return 'describes the body of the request';
  return taken.has(writeKey(item)) ? 'is already the position of another secret of this credential' : undefined;
};

/** Returns the faults of the extra items of a credential whose placement has none. Two secrets at one position would replace each other. */
export const findExtraFaults = (scheme: CredentialScheme, placement: Placement, extras: readonly CredentialExtra[]): Fault[] => {
  const taken = new Set([writeKey(SCHEMES[scheme].slot(placement))]);
  return extras.flatMap((item, at) => {
    const message = findNameFault(item, taken);
    taken.add(writeKey(item));
    return message === undefined ? [] : [{ pointer: `/extras/${at}/name`, message }];
  });
};

/** Returns a fault if a secret begins with the text that is sent before it anyway. */
export const findRepeatedPrefixFaults = (scheme: CredentialScheme, placement: Placement, secret = ''): Fault[] => {
  const { around, encoding } = SCHEMES[scheme];
  const [before] = encoding === undefined ? around(placement) : [''];
  // A text that ends in a letter may be the beginning of the secret itself.
  if (!/[^A-Za-z0-9]$/.test(before) || !secret.toLowerCase().startsWith(before.toLowerCase())) return [];
  return [{ pointer: '/secret', message: `begins with ${before.trim()}, which is sent before it anyway: leave it out` }];
};
