import { placeSecret, type SecretBearing, type SecretUse, type Unplaced } from './place-secret.ts';

/** What stands where a secret would stand: the same in a header, a URL and a form. */
const SHOWN = '***';

/** A request as it may be shown, and where its secret would be. */
export type ShownPlace = { readonly shown: SecretBearing; readonly place: string };

/** The request with a mark where the secret would stand, by the same rules by which the secret itself is placed. */
export const showPlaced = (request: SecretBearing, use: Omit<SecretUse, 'secret'>): ShownPlace | Unplaced => {
  const placed = placeSecret(request, { ...use, secret: SHOWN });
  if ('unplaced' in placed) return placed;
  const headers = Object.entries(placed.headers).filter(([name, value]) => request.headers[name] !== value && name !== 'content-type');
  const [header] = headers;
  if (header !== undefined) {
    // What is in a header by a scheme is one text, and may be encoded as a whole.
    const [name, value] = header;
    const shown = value.includes(SHOWN) ? value : `${value.split(' ', 1)[0]} ${SHOWN}`;
    return { shown: { ...placed, headers: { ...placed.headers, [name]: shown } }, place: `header ${name}` };
  }
  if (placed.url.href !== request.url.href) return { shown: placed, place: `query ${use.placement.parameter ?? ''}`.trim() };
  return { shown: placed, place: `body ${use.placement.field ?? ''}`.trim() };
};
