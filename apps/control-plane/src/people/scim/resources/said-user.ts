import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { startOf } from '@svc/policy/values/start-of.ts';
import SCIMMY from 'scimmy';
import { holdsInherited } from '../answers/inherited-names.ts';
import { readScim, scimFault } from '../answers/scim-error.ts';

/** What a directory says of a person, as far as it is kept. */
export type SaidUser = {
  readonly user_name: string;
  readonly email: string;
  readonly external_id: string | null;
  readonly given_name: string | null;
  readonly family_name: string | null;
  readonly display_name: string | null;
  readonly active: boolean;
};

type Mail = { readonly value?: string; readonly primary?: boolean };
const NAME_CHARS_MAX = 120;
const ADDRESS = /^[^@\s]{1,64}@[^@\s]{1,253}$/;

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? startOf(value.trim(), NAME_CHARS_MAX) : null;

/** The address that counts: the primary one, or the name where that is an address. */
const addressOf = (userName: string, mails: readonly Mail[]): string | undefined => {
  const primary = mails.find((mail) => mail.primary === true)?.value ?? mails[0]?.value ?? userName;
  return [primary, userName].find((text) => ADDRESS.test(text) && text.length <= 254)?.toLowerCase();
};

/** Some directories write what is true or false as words. */
const withBooleans = (body: Readonly<Record<string, unknown>>) =>
  typeof body.active === 'string' && /^(true|false)$/i.test(body.active) ? { ...body, active: /^true$/i.test(body.active) } : body;

export const readUser = async (body: Readonly<Record<string, unknown>>) => {
  if (holdsInherited(body)) return scimFault('invalidSyntax', 'The body names what is no attribute.');
  const read = await readScim(() => new SCIMMY.Schemas.User(withBooleans(body), 'in'));
  if (isRefusal(read)) return read;
  const user = read as unknown as Record<string, unknown> & { userName: string; name?: Record<string, unknown>; emails?: Mail[] };
  const email = addressOf(user.userName, user.emails ?? []);
  if (email === undefined) return scimFault('invalidValue', 'Neither emails nor userName holds an e-mail address.');
  const name = user.name ?? {};
  return {
    user_name: user.userName,
    email,
    external_id: typeof body.externalId === 'string' ? body.externalId : null,
    given_name: textOf(name.givenName),
    family_name: textOf(name.familyName),
    display_name: textOf(user.displayName) ?? textOf(name.formatted),
    active: user.active !== false,
  } satisfies SaidUser;
};
