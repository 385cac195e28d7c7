import type { CredentialExtra } from '@svc/contract/credentials/credentials.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { WantedCredential } from '@svc/contract/tools/tool-imports.ts';
import { extraFaults } from '../../../credentials/placement-faults.ts';
import { SCHEMES } from '../../../credentials/schemes/schemes.ts';
import { lineOf } from '../draft/reading.ts';

const NAME_CHARS_MAX = 80;

/** An access token of OAuth is sent as a bearer token. */
const sentAs = ({ scheme }: WantedCredential) => (scheme === 'OAUTH' ? 'BEARER' : scheme);

/** The position of a credential that is a name and a secret alone, which an extra item can send. */
const positionOf = (wanted: WantedCredential): CredentialExtra | undefined => {
  const { around, encoding, slot } = SCHEMES[sentAs(wanted)];
  return encoding === undefined && around(wanted.placement).join('') === '' ? slot(wanted.placement) : undefined;
};

/** Returns the one credential that sends all of these at once, with extra items; undefined if none can. */
export const wantedTogether = (all: readonly WantedCredential[]): WantedCredential | undefined => {
  const main = all.find((wanted) => positionOf(wanted) === undefined) ?? all[0];
  if (main === undefined) return undefined;
  const others = all.filter((wanted) => wanted !== main);
  const extras = others.flatMap((wanted) => positionOf(wanted) ?? []);
  const isSendable =
    extras.length === others.length &&
    extras.length <= LIMITS.credentials.extrasMax &&
    extraFaults(sentAs(main), main.placement, extras).length === 0;
  const name = lineOf(all.map((wanted) => wanted.name).join(' and '), NAME_CHARS_MAX);
  return isSendable ? { ...main, name, extras, scopes: all.flatMap(({ scopes }) => scopes) } : undefined;
};
