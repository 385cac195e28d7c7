import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getShortName } from '@svc/domain/people/scim/core-schema.ts';
import { hasInheritedName } from '@svc/domain/people/scim/inherited-name.ts';
import { readBoolean } from '@svc/domain/people/scim/read-boolean.ts';
import type { ScimUserInput } from '@svc/operations/people/scim/change-user.ts';
import { findScimFault } from '@svc/operations/people/scim/scim-fault.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import SCIMMY from 'scimmy';
import { readScim } from '../answers/read-scim.ts';

type Body = Readonly<Record<string, unknown>>;
type Mail = { readonly value?: string; readonly primary?: boolean };
const NAME_CHARS_MAX = 120;
const ADDRESS = /^[^@\s]{1,64}@[^@\s]{1,253}$/;

const getText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? truncateText(value.trim(), NAME_CHARS_MAX) : null;

/** Returns the effective address: the primary one, or the user name if that is an address. */
const getAddress = (userName: string, mails: readonly Mail[]): string | undefined => {
  const primary = mails.find((mail) => mail.primary === true)?.value ?? mails[0]?.value ?? userName;
  return [primary, userName].find((text) => ADDRESS.test(text) && text.length <= 254)?.toLowerCase();
};

/** Attributes of a user that are stored. Others are dropped before anything reads them. */
const KEPT: ReadonlySet<string> = new Set(['schemas', 'username', 'name', 'displayname', 'active', 'emails']);

/** Accepts `primary` as text, as some directories send it. */
const withPrimary = (mail: unknown): unknown =>
  typeof mail === 'object' && mail !== null && !Array.isArray(mail)
    ? Object.fromEntries(Object.entries(mail).map(([name, value]) => [name, name.toLowerCase() === 'primary' ? readBoolean(value) : value]))
    : mail;

const keptValue = (name: string, value: unknown): unknown => {
  if (name === 'active') return readBoolean(value);
  return name === 'emails' && Array.isArray(value) ? value.slice(0, LIMITS.scim.mailsMax + 1).map(withPrimary) : value;
};

const keptOf = (body: Body) =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      KEPT.has(getShortName(name)) ? [[getShortName(name), keptValue(getShortName(name), value)]] : [],
    ),
  );

const isTooMany = (said: Body): boolean =>
  Object.values(said).some((value) => typeof value === 'object' && value !== null && Object.keys(value).length > LIMITS.scim.mailsMax);

/** True if a name occurs twice in different case: names are not case-sensitive, so either could be meant. */
export const hasDuplicateName = (body: Body): boolean => {
  const names = Object.keys(body);
  return new Set(names.map(getShortName)).size < names.length;
};

const holdsNoMail = (mails: unknown): boolean => Array.isArray(mails) && mails.some((mail) => typeof mail !== 'object' || mail === null);

const getExternalId = (body: Body): string | null => {
  const [, value] = Object.entries(body).find(([name]) => getShortName(name) === 'externalid') ?? [];
  return typeof value === 'string' ? truncateText(value, 255) : null;
};

export const readUser = async (body: Body) => {
  if (hasInheritedName(body)) return findScimFault('invalidSyntax', 'The body contains a reserved name that is not an attribute.');
  if (hasDuplicateName(body)) return findScimFault('invalidSyntax', 'The body contains an attribute twice.');
  const kept = keptOf(body);
  if (isTooMany(kept)) return findScimFault('tooMany', `A user has at most ${LIMITS.scim.mailsMax} emails.`);
  if (holdsNoMail(kept.emails)) return findScimFault('invalidValue', 'Each of emails is an object.');
  const read = await readScim(() => new SCIMMY.Schemas.User(kept, 'in'));
  if (isRefusal(read)) return read;
  const user = read as unknown as Record<string, unknown> & {
    userName: string;
    active?: boolean | null;
    name?: Record<string, unknown>;
    emails?: Mail[];
  };
  if (user.userName.length > 254) return findScimFault('invalidValue', 'A userName has at most 254 characters.');
  const email = getAddress(user.userName, user.emails ?? []);
  if (email === undefined) return findScimFault('invalidValue', 'userName or emails must contain an e-mail address.');
  const name = user.name ?? {};
  return {
    user_name: user.userName,
    email,
    external_id: getExternalId(body),
    given_name: getText(name.givenName),
    family_name: getText(name.familyName),
    display_name: getText(user.displayName) ?? getText(name.formatted),
    active: user.active ?? null,
  } satisfies ScimUserInput;
};
