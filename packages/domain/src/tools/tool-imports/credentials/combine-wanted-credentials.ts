import type { CredentialExtra } from '@svc/contract/credentials/credentials.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { WantedCredential } from '@svc/contract/tools/tool-imports.ts';
import { toLine } from '../draft/reading.ts';

const NAME_CHARS_MAX = 80;

/** The position of a credential that is a name and a secret alone, which an extra item can send. */
const findPosition = ({ placement }: WantedCredential): CredentialExtra | undefined => {
  const { header, prefix, template, parameter, field } = placement;
  if (parameter !== undefined) return { in: 'QUERY', name: parameter };
  if (field !== undefined) return { in: 'BODY_FIELD', name: field };
  return header === undefined || prefix !== undefined || template !== undefined ? undefined : { in: 'HEADER', name: header };
};

const writeKey = ({ in: position, name }: CredentialExtra): string => `${position} ${name.toLowerCase()}`;

/** Keys of all positions that a credential writes to. */
export const listPositionKeys = (wanted: WantedCredential): readonly string[] => {
  const main = findPosition(wanted) ?? { in: 'HEADER' as const, name: wanted.placement.header ?? 'authorization' };
  return [main, ...(wanted.extras ?? [])].map(writeKey);
};

/** Returns the one credential that sends all of these at once, with extra items; undefined if none can. */
export const combineWantedCredentials = (all: readonly WantedCredential[]): WantedCredential | undefined => {
  const main = all.find((wanted) => findPosition(wanted) === undefined) ?? all[0];
  if (main === undefined || all.length === 1) return main;
  const others = all.filter((wanted) => wanted !== main);
  const positions = others.flatMap((wanted) => findPosition(wanted) ?? []);
  const extras = [...(main.extras ?? []), ...positions, ...others.flatMap((wanted) => wanted.extras ?? [])];
  const keys = all.flatMap(listPositionKeys);
  const areDistinct = new Set(keys).size === keys.length;
  if (!areDistinct || positions.length < others.length || extras.length > LIMITS.credentials.extrasMax) return undefined;
  const name = toLine(all.map((wanted) => wanted.name).join(' and '), NAME_CHARS_MAX);
  return { ...main, name, extras, scopes: all.flatMap(({ scopes }) => scopes) };
};
