import type { CredentialExtra, CredentialScheme, Placement } from '@svc/contract/credentials/credentials.ts';
import { SCHEMES } from './schemes/schemes.ts';
import type { SecretBearing, Unplaced } from './slots/slot.ts';
import { SLOTS } from './slots/slots.ts';

/** The positions of the secrets of a credential. */
export type SecretPlaces = {
  readonly scheme: CredentialScheme;
  readonly placement: Placement;
  readonly extras: readonly CredentialExtra[];
};

/** The secret of a credential, and those of its extra items in their order. */
export type CredentialSecrets = { readonly secret: string; readonly extras: readonly string[] };

/** A named text that is written to a request. */
type Item = CredentialExtra & { readonly text: string };

const writeText = ({ scheme, placement }: SecretPlaces, secret: string): string => {
  const { around, encoding } = SCHEMES[scheme];
  const [before, after] = around(placement);
  const text = `${before}${secret}${after}`;
  return encoding === undefined ? text : encoding.write(text);
};

/** Returns the other texts by which a request reveals the first secret, such as the part of HTTP basic that holds it. */
export const listRevealingTexts = (
  { scheme, placement }: Pick<SecretPlaces, 'scheme' | 'placement'>,
  secret: string,
): readonly string[] => {
  const { around, encoding } = SCHEMES[scheme];
  return encoding?.revealing(around(placement), secret) ?? [];
};

const UNEQUAL: Unplaced = { unplaced: 'The extra items of the credential do not match their secrets. Rotate the credential.' };

const placeItems = (request: SecretBearing, items: readonly Item[]): SecretBearing | Unplaced => {
  let placed = request;
  for (const { in: position, name, text } of items) {
    const next = SLOTS[position].place(placed, name, text);
    if ('unplaced' in next) return next;
    placed = next;
  }
  return placed;
};

const listItems = (use: SecretPlaces, text: string, extras: readonly string[]): readonly Item[] => [
  { ...SCHEMES[use.scheme].slot(use.placement), text },
  ...use.extras.map((extra, at) => ({ ...extra, text: extras[at] ?? '' })),
];

/** Returns the request with all secrets of a credential, each replacing any previous value; or why none is sent. */
export const placeSecrets = (request: SecretBearing, use: SecretPlaces, { secret, extras }: CredentialSecrets): SecretBearing | Unplaced =>
  extras.length === use.extras.length ? placeItems(request, listItems(use, writeText(use, secret), extras)) : UNEQUAL;

/** True if a secret is in the body, so that a request without one cannot carry it. */
export const isInBody = ({ scheme, placement, extras }: SecretPlaces): boolean =>
  [SCHEMES[scheme].slot(placement), ...extras].some((item) => SLOTS[item.in].needsBody);

/** Replaces a secret: the same in a header, a URL and a form. */
const MARK = '***';

/** A request as it may be shown, and the positions of its secrets. */
export type MarkedRequest = { readonly shown: SecretBearing; readonly place: string };

/** Returns the request with a mark in place of each secret, placed by the same code as the secrets themselves. */
export const showSecrets = (request: SecretBearing, use: SecretPlaces): MarkedRequest | Unplaced => {
  const text = SCHEMES[use.scheme].encoding?.show(MARK) ?? writeText(use, MARK);
  const items = listItems(
    use,
    text,
    use.extras.map(() => MARK),
  );
  const shown = placeItems(request, items);
  if ('unplaced' in shown) return shown;
  const place = items.map(({ in: position, name }) => SLOTS[position].describe(name)).join(', ');
  return { shown, place };
};
