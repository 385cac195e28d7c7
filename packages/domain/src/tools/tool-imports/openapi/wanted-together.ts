import type { CredentialExtra } from '@svc/contract/credentials/credentials.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { WantedCredential } from '@svc/contract/tools/tool-imports.ts';
import { lineOf } from '../draft/reading.ts';

const NAME_CHARS_MAX = 80;

/** The position of a credential that is a name and a secret alone, which an extra item can send. */
const findPosition = ({ placement: { header, prefix, parameter } }: WantedCredential): CredentialExtra | undefined => {
  if (parameter !== undefined) return { in: 'QUERY', name: parameter };
  return header === undefined || prefix !== undefined ? undefined : { in: 'HEADER', name: header };
};

const readKey = (wanted: WantedCredential): string => {
  const { in: position, name } = findPosition(wanted) ?? { in: 'HEADER', name: wanted.placement.header ?? 'authorization' };
  return `${position} ${name.toLowerCase()}`;
};

/** Returns the one credential that sends all of these at once, with extra items; undefined if none can. */
export const wantedTogether = (all: readonly WantedCredential[]): WantedCredential | undefined => {
  const main = all.find((wanted) => findPosition(wanted) === undefined) ?? all[0];
  if (main === undefined) return undefined;
  const others = all.filter((wanted) => wanted !== main);
  const extras = others.flatMap((wanted) => findPosition(wanted) ?? []);
  const areDistinct = new Set(all.map(readKey)).size === all.length;
  if (!areDistinct || extras.length < others.length || extras.length > LIMITS.credentials.extrasMax) return undefined;
  const name = lineOf(all.map((wanted) => wanted.name).join(' and '), NAME_CHARS_MAX);
  return { ...main, name, extras, scopes: all.flatMap(({ scopes }) => scopes) };
};
