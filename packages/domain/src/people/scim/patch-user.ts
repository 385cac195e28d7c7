import { LIMITS } from '@svc/contract/tables/limits.ts';
import { matchesFilter } from './matches-filter.ts';
import { readBoolean } from './read-boolean.ts';
import { isScimFault, readOperations, type ScimChange, type ScimFault } from './read-operations.ts';

type Told = Readonly<Record<string, unknown>>;
type Parts = Record<string, unknown>;

const PLAIN: ReadonlyMap<string, string> = new Map(
  ['userName', 'externalId', 'displayName', 'active'].map((name) => [name.toLowerCase(), name]),
);
const NAME_PARTS: readonly string[] = ['formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'];
const MAIL_PARTS: readonly string[] = ['value', 'display', 'type', 'primary'];

const invalidPath = (attribute: string): ScimFault => ({
  scim_type: 'invalidPath',
  says: `The path does not match any ${attribute.slice(0, 100)} of the user.`,
});
const invalidValue = (says: string): ScimFault => ({ scim_type: 'invalidValue', says });

const isParts = (value: unknown): value is Told => typeof value === 'object' && value !== null && !Array.isArray(value);

const partValue = (part: string, value: unknown): unknown => (part === 'primary' ? readBoolean(value) : value);

/** Returns the known parts, by their canonical names. */
const getParts = (value: Told, known: readonly string[]): Parts =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const part = known.find((one) => one.toLowerCase() === name.toLowerCase());
      return part === undefined ? [] : [[part, partValue(part, each)]];
    }),
  );

const changeName = (user: Parts, { op, filter, part, value }: ScimChange): ScimFault | undefined => {
  if (filter !== undefined) return invalidPath('name');
  const before = isParts(user.name) ? user.name : {};
  if (part === undefined) {
    if (op !== 'remove' && !isParts(value)) return invalidValue('name must be an object.');
    user.name = { ...(op === 'add' ? before : {}), ...(isParts(value) && op !== 'remove' ? getParts(value, NAME_PARTS) : {}) };
    return undefined;
  }
  const name = NAME_PARTS.find((each) => each.toLowerCase() === part);
  if (name === undefined) return invalidPath(`name.${part}`);
  const { [name]: _before, ...others } = before;
  user.name = op === 'remove' ? others : { ...others, [name]: value };
  return undefined;
};

const listMails = (value: unknown): readonly Parts[] | ScimFault => {
  const mails: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (mails.length > LIMITS.scim.mailsMax)
    return { scim_type: 'tooMany', says: `A user must have at most ${LIMITS.scim.mailsMax} emails.` };
  return mails.every(isParts) ? mails.map((each) => getParts(each, MAIL_PARTS)) : invalidValue('Each element of emails must be an object.');
};

/** A part of the chosen mails, all of them, or those themselves. */
const changedMails = (before: readonly Parts[], { op, filter, part, value }: ScimChange): readonly Parts[] | ScimFault => {
  const isChosen = (mail: Parts): boolean => filter === undefined || matchesFilter(filter, mail);
  if (part !== undefined) {
    const name = MAIL_PARTS.find((each) => each.toLowerCase() === part);
    if (name === undefined) return invalidPath(`emails.${part}`);
    if (op !== 'remove' && !before.some(isChosen)) return { scim_type: 'noTarget', says: 'The path does not match any element of emails.' };
    return before.map(({ [name]: old, ...others }) => {
      const mail = old === undefined ? others : { ...others, [name]: old };
      if (!isChosen(mail)) return mail;
      return op === 'remove' ? others : { ...others, [name]: partValue(name, value) };
    });
  }
  if (op === 'remove') return before.filter((mail) => !isChosen(mail));
  const said = listMails(value);
  if (isScimFault(said)) return said;
  const kept = op === 'replace' ? before.filter((mail) => !isChosen(mail)) : before;
  return [...kept, ...said];
};

const changeMails = (user: Parts, change: ScimChange): ScimFault | undefined => {
  const before = Array.isArray(user.emails) ? (user.emails as readonly Parts[]) : [];
  const after = changedMails(before, change);
  if (isScimFault(after)) return after;
  const fault = listMails(after);
  if (isScimFault(fault)) return fault;
  user.emails = after;
  return undefined;
};

const changeUser = (user: Parts, change: ScimChange, known: ReadonlySet<string>): ScimFault | undefined => {
  const { op, attribute, filter, part, value } = change;
  if (attribute === 'name') return changeName(user, change);
  if (attribute === 'emails') return changeMails(user, change);
  const plain = PLAIN.get(attribute);
  if (plain === undefined) return known.has(attribute) ? undefined : invalidPath(attribute);
  if (filter !== undefined || part !== undefined) return invalidPath(attribute);
  if (op === 'remove') delete user[plain];
  else user[plain] = value;
  return undefined;
};

/**
 * Returns a user after the operations of a patch, in time linear in the input. Attributes in `known`, lower-case names in the schema,
 * are ignored if they are not stored here.
 */
export const patchUser = (told: Told, operations: readonly unknown[], known: ReadonlySet<string>): Told | ScimFault => {
  const changes = readOperations(operations);
  if (isScimFault(changes)) return changes;
  const user: Parts = { ...told };
  for (const change of changes) {
    const fault = changeUser(user, change, known);
    if (fault) return fault;
  }
  return user;
};
