import { parseArgs } from 'node:util';
import { readCommand } from '@svc/program/keys/read-command.ts';

/** Where the new master key is: in place of the file of the present one, in another file, or with a command. */
type Target =
  | { readonly place: 'same' }
  | { readonly place: 'file'; readonly file: string }
  | { readonly place: 'command'; readonly command: readonly string[] };

export type RewrapCommand =
  | { readonly verb: 'rewrap'; readonly target: Target; readonly reason: string; readonly keepsOld: boolean; readonly isTrial: boolean }
  | { readonly verb: 'finish-rewrap' }
  | { readonly verb: 'master-keys' };

const REASON_LENGTH_MAX = 1_000;

export const REWRAP_USAGE = `Changes the master key, while the service goes on:

    npm run admin -- rewrap --reason "..."                      to a new one, in the place of the key file
    npm run admin -- rewrap --to-file <file> --reason "..."     to the one in a file (0600), which is made where there is none
    npm run admin -- rewrap --to-command '["..."]' --reason "..."   to the one of a command, as SVC_MASTER_KEY_COMMAND names it
    npm run admin -- rewrap ... --keep-old                      lets the present one open too, until --finish
    npm run admin -- rewrap --finish                            keeps the master key of these settings alone
    npm run admin -- rewrap ... --dry-run                       says what it would do, and changes nothing
    npm run admin -- master-keys                                which there are, and were

One key of the installation, from which all others are derived, is wrapped anew; nothing that is sealed changes, and what runs goes on
without a restart. It needs the owner of the database, and the present master key by the settings as a start needs it. Broken off at any
moment it leaves a master key that opens everything: run it again, and it goes on. Backups are opened by the master key of their time.`;

const OPTIONS = {
  reason: { type: 'string' },
  'to-file': { type: 'string' },
  'to-command': { type: 'string' },
  'keep-old': { type: 'boolean' },
  finish: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>['values'];

const targetOf = (values: Values): Target | string => {
  const { 'to-file': file, 'to-command': command } = values;
  if (file !== undefined && command !== undefined) return 'Name one place for the new master key: --to-file or --to-command.';
  if (file !== undefined) return file.trim() === '' ? 'Name the file of the new master key: --to-file <file>.' : { place: 'file', file };
  if (command === undefined) return { place: 'same' };
  const words = readCommand(command);
  return words === undefined
    ? 'Give the command as a JSON array of words, such as --to-command \'["/usr/local/bin/kms-wrap", "alias/governance"]\': no shell reads them.'
    : { place: 'command', command: words };
};

const ofValues = (values: Values): RewrapCommand | string => {
  const { reason: given = '', finish = false, 'dry-run': isTrial = false, 'keep-old': keepsOld = false } = values;
  if (finish)
    return Object.keys(values).length > 1 ? '--finish stands alone: it keeps the master key of these settings.' : { verb: 'finish-rewrap' };
  const target = targetOf(values);
  if (typeof target === 'string') return target;
  const reason = given.trim();
  if (!isTrial && (reason === '' || reason.length > REASON_LENGTH_MAX))
    return `Say why, in at most ${REASON_LENGTH_MAX} characters: --reason "..."`;
  return { verb: 'rewrap', target, reason, keepsOld, isTrial };
};

/** Reads the words after `npm run admin --` where they are about the master key; undefined where they are not, a sentence where they say nothing. */
export const readRewrap = ([verb, ...words]: readonly string[]): RewrapCommand | string | undefined => {
  if (verb === 'master-keys') return words.length === 0 ? { verb } : 'master-keys takes no more words.';
  if (verb !== 'rewrap') return undefined;
  try {
    const { values, positionals } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
    return positionals.length > 0 ? `${positionals.join(' ')} means nothing here.` : ofValues(values);
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
};
