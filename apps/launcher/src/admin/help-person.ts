import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Operating, removeFactorsByOperator, resetPasswordByOperator } from '@svc/operations/people/auth/help-by-operator.ts';
import { listResetKeys } from '@svc/operations/people/passwords/reset-codes.ts';
import { readDatabaseTime } from '@svc/postgres/connection/read-database-time.ts';
import { findPersonByEmail, listMemberships, type Membership } from '@svc/postgres/people/auth/people.ts';
import type { DatabaseAccess } from '../break-glass/reach-database.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import { createOperatorContext, getOperatorSender } from '../operator/operator-context.ts';
import type { AdminCommand } from './read-command.ts';

type Helping = Extract<AdminCommand, { readonly email: string }>;

const whoIs = (person: readonly [Membership, ...Membership[]]): string => {
  const [{ name, email }] = person;
  return `${name} <${email}>, of ${person.map(({ organization_name, organization_id }) => `${organization_name} (${organization_id})`).join(' and ')}`;
};

const minutes = LIMITS.passwordResets.operatorLifetimeSeconds / 60;

const resetLines = (email: string, code: string): string[] => [
  '  The password was removed, all sessions have ended, and lockouts were lifted.',
  `  This code sets a new one, once, within ${minutes} minutes. It is shown here and nowhere else:`,
  '',
  `      ${code}`,
  '',
  `  The person sends it as "code" to POST /v1/auth/password/reset, with "email" (${email}) and "new_password".`,
];

/** Helps one person; returns the lines to show. */
export const helpPerson = async (reached: DatabaseAccess, { verb, email, reason }: Helping): Promise<readonly string[]> => {
  const { app, identity, masterKey } = reached;
  const userId = await findPersonByEmail(identity, email);
  const [first, ...more] = userId === undefined ? [] : await listMemberships(identity, userId);
  if (userId === undefined || first === undefined)
    throw new LaunchFault(`No member of an organization has the address ${JSON.stringify(email)}.`);
  const person = [first, ...more] as const;
  const now = new Date(await readDatabaseTime(app));
  const getContext = (organizationId: string) => createOperatorContext('admin', organizationId, now);
  const operating: Operating = { app, identity, now, reason, contextOf: getContext, ...getOperatorSender(masterKey, now) };
  const who = whoIs(person);
  if (verb === 'reset-password')
    return [who, ...resetLines(email, await resetPasswordByOperator(operating, listResetKeys(masterKey), person))];
  const { factors, isPasswordGone } = await removeFactorsByOperator(operating, person);
  return [
    who,
    factors.length === 0 ? '  The account had no second factors.' : `  ${factors.length} removed. Sign-in now requires only the password.`,
    ...(isPasswordGone
      ? ['  The password was too short without a second factor and was removed. Run reset-password to set a new one.']
      : []),
  ];
};
