import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { holdsInherited } from '@svc/domain/people/scim/inherited-name.ts';
import { startOf } from '@svc/policy/values/start-of.ts';
import SCIMMY from 'scimmy';
import { readScim, scimFault } from '../answers/scim-error.ts';

/** What a directory says of a person, as far as it is kept. */
export type SaidUser = {
  readonly user_name: string;
  readonly email: string;
  readonly external_id: string | null;
  readonly given_name: string | null;
  readonly family_name: string | null;
  readonly display_name: string | null;
  /** Null where nothing is said of it. */
  readonly active: boolean | null;
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

/** What is kept of a person: whatever else directories send is passed over before anything looks at it. */
const KEPT: ReadonlySet<string> = new Set(['schemas', 'username', 'name', 'displayname', 'active', 'emails']);

/** Some directories write what is true or false as words. */
const withBoolean = (value: unknown): unknown =>
  typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value;

const keptOf = (body: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => KEPT.has(name.toLowerCase()))
      .map(([name, value]) => [name, name.toLowerCase() === 'active' ? withBoolean(value) : value]),
  );

const isTooMany = (said: Readonly<Record<string, unknown>>): boolean =>
  Object.values(said).some((value) => typeof value === 'object' && value !== null && Object.keys(value).length > LIMITS.scim.mailsMax);

/** Names are read however their letters are written, so that one that stands twice could be either. */
const standsTwice = (body: object): boolean => {
  const names = Object.keys(body);
  return new Set(names.map((name) => name.toLowerCase())).size < names.length;
};

const holdsNoMail = (mails: unknown): boolean => Array.isArray(mails) && mails.some((mail) => typeof mail !== 'object' || mail === null);

export const readUser = async (body: Readonly<Record<string, unknown>>) => {
  if (holdsInherited(body)) return scimFault('invalidSyntax', 'The body names what is no attribute.');
  if (standsTwice(body)) return scimFault('invalidSyntax', 'The body names an attribute twice.');
  const kept = keptOf(body);
  if (isTooMany(kept)) return scimFault('tooMany', `A user has at most ${LIMITS.scim.mailsMax} emails.`);
  if (Object.entries(kept).some(([name, value]) => name.toLowerCase() === 'emails' && holdsNoMail(value)))
    return scimFault('invalidValue', 'Each of emails is an object.');
  const read = await readScim(() => new SCIMMY.Schemas.User(kept, 'in'));
  if (isRefusal(read)) return read;
  const user = read as unknown as Record<string, unknown> & {
    userName: string;
    active?: boolean | null;
    name?: Record<string, unknown>;
    emails?: Mail[];
  };
  if (user.userName.length > 254) return scimFault('invalidValue', 'A userName has at most 254 characters.');
  const email = addressOf(user.userName, user.emails ?? []);
  if (email === undefined) return scimFault('invalidValue', 'Neither emails nor userName holds an e-mail address.');
  const name = user.name ?? {};
  return {
    user_name: user.userName,
    email,
    external_id: typeof body.externalId === 'string' ? startOf(body.externalId, 255) : null,
    given_name: textOf(name.givenName),
    family_name: textOf(name.familyName),
    display_name: textOf(user.displayName) ?? textOf(name.formatted),
    active: user.active ?? null,
  } satisfies SaidUser;
};
