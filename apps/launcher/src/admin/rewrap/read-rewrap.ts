import { parseArgs } from 'node:util';
import { readCommand } from '@svc/program/keys/read-command.ts';

/** Location of the new master key: the file of the current one, another file, or a command. */
type Target =
  | { readonly place: 'same' }
  | { readonly place: 'file'; readonly file: string }
  | { readonly place: 'command'; readonly command: readonly string[] };

export type RewrapCommand =
  | { readonly verb: 'rewrap'; readonly target: Target; readonly reason: string; readonly keepsOld: boolean; readonly isTrial: boolean }
  | { readonly verb: 'finish-rewrap' }
  | { readonly verb: 'master-keys' };

const REASON_LENGTH_MAX = 1_000;

export const REWRAP_USAGE = `Changes the master key without stopping the service:

    npm run ops -- admin rewrap --reason "..."                          to a new key, which replaces the key file
    npm run ops -- admin rewrap --to-file <file> --reason "..."         to the key in a file (0600), which is created if missing
    npm run ops -- admin rewrap --to-command '["..."]' --reason "..."   to the key of a command, as in SVC_MASTER_KEY_COMMAND
    npm run ops -- admin rewrap ... --keep-old                          keeps the current key valid until --finish
    npm run ops -- admin rewrap --finish                                retires all keys except the one in the settings
    npm run ops -- admin rewrap ... --dry-run                           shows the steps without changes
    npm run ops -- admin master-keys                                    lists current and retired master keys

Only the installation key, from which all other keys are derived, is wrapped again. Sealed data does not change, and running programs
need no restart. The command needs the database owner and the current master key in the settings. After an interruption a master key
still opens everything: run the command again to resume. A backup requires the master key of its time.`;

const OPTIONS = {
  reason: { type: 'string' },
  'to-file': { type: 'string' },
  'to-command': { type: 'string' },
  'keep-old': { type: 'boolean' },
  finish: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>['values'];

const getTarget = (values: Values): Target | string => {
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
  const target = getTarget(values);
  if (typeof target === 'string') return target;
  const reason = given.trim();
  if (!isTrial && (reason === '' || reason.length > REASON_LENGTH_MAX))
    return `Say why, in at most ${REASON_LENGTH_MAX} characters: --reason "..."`;
  return { verb: 'rewrap', target, reason, keepsOld, isTrial };
};

/** Parses the arguments of `npm run ops -- admin` about the master key; undefined for other commands, a sentence for invalid ones. */
export const readRewrap = ([verb, ...words]: readonly string[]): RewrapCommand | string | undefined => {
  if (verb === 'master-keys') return words.length === 0 ? { verb } : 'master-keys takes no more words.';
  if (verb !== 'rewrap') return undefined;
  try {
    const { values, positionals } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
    return positionals.length > 0 ? `${positionals.join(' ')} is not recognized.` : ofValues(values);
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
};
