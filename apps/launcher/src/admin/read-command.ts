import { parseArgs } from 'node:util';

export type AdminCommand =
  | { readonly verb: 'owners'; readonly organization: string | undefined }
  | { readonly verb: 'audit-logs' }
  | { readonly verb: 'lift-networks'; readonly organization: string; readonly reason: string }
  | { readonly verb: 'lift-audit-log'; readonly organization: string; readonly reason: string }
  | { readonly verb: 'reset-password' | 'remove-second-factors'; readonly email: string; readonly reason: string };

const VERBS: readonly string[] = [
  'owners',
  'reset-password',
  'remove-second-factors',
  'lift-networks',
  'audit-logs',
  'lift-audit-log',
  'master-keys',
  'rewrap',
];
const REASON_LENGTH_MAX = 1_000;

export const USAGE = `Restores access for locked-out people and resumes held audit logs, from this machine:

    npm run ops -- admin owners                                          lists all organizations and their owners
    npm run ops -- admin owners <organization>                           lists the owners of one, by id or name
    npm run ops -- admin reset-password <e-mail> --reason "..."          prints a one-time code to set a new password
    npm run ops -- admin remove-second-factors <e-mail> --reason "..."   removes lost second factors
    npm run ops -- admin lift-networks <organization> --reason "..."     removes the network restrictions
    npm run ops -- admin audit-logs                                      lists held audit logs with the reason
    npm run ops -- admin lift-audit-log <organization> --reason "..."    resumes a log that was restored to its signed state
    npm run ops -- admin master-keys                                     lists current and retired master keys
    npm run ops -- admin rewrap --reason "..."                           changes the master key; see rewrap --help

A password reset ends the old password and all sessions immediately, and the code works despite a lockout. The code is printed once and not stored. Each command is recorded in the audit log of the affected organizations, with the operating system user of this machine.`;

/** True if the arguments request help. */
export const requestsHelp = (words: readonly string[]): boolean => words.includes('--help') || words.includes('-h');

/** Parses the arguments of `npm run ops -- admin`; returns a sentence if they are no command. */
export const readAdminCommand = (words: readonly string[]): AdminCommand | string => {
  const [first = ''] = words;
  if (!first.startsWith('-') && !VERBS.includes(first))
    return first === ''
      ? `Say what to do: ${VERBS.join(', ')}.`
      : `Unknown command ${first}. Commands: ${VERBS.slice(0, -1).join(', ')} and ${VERBS.at(-1)}.`;
  let parsed: ReturnType<typeof parseArgs<{ options: { reason: { type: 'string' } }; allowPositionals: true }>>;
  try {
    parsed = parseArgs({ args: [...words], options: { reason: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const [verb, whose, ...more] = parsed.positionals;
  const reason = (parsed.values.reason ?? '').trim();
  if (more.length > 0) return 'Name one organization, or one person.';
  if (verb === 'owners') return { verb, organization: whose };
  if (verb === 'audit-logs') return whose === undefined ? { verb } : 'audit-logs lists all organizations and takes no organization.';
  const isOfOrganization = verb === 'lift-networks' || verb === 'lift-audit-log';
  if (verb !== 'reset-password' && verb !== 'remove-second-factors' && !isOfOrganization) return `Say what to do: ${VERBS.join(', ')}.`;
  if (whose === undefined)
    return isOfOrganization ? 'Name the organization by its id or its name.' : 'Name the person by their e-mail address.';
  if (reason === '' || reason.length > REASON_LENGTH_MAX) return `Say why, in at most ${REASON_LENGTH_MAX} characters: --reason "..."`;
  return isOfOrganization ? { verb, organization: whose, reason } : { verb, email: whose.toLowerCase(), reason };
};
