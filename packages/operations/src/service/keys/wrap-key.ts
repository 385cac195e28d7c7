import type { KeyObject } from 'node:crypto';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import {
  masterKeyId,
  readInstallationKey,
  unwrapInstallationKey,
  wrapInstallationKey,
  writeInstallationKey,
} from '@svc/keyring/sealed/installation-key.ts';
import type { WrappedKey } from '@svc/postgres/migrate/installation-keys.ts';
import { KeyFault } from '@svc/program/keys/key-fault.ts';
import type { MasterKey } from '@svc/program/keys/master-key.ts';
import { type KeyCommand, runKeyCommand } from '@svc/program/keys/run-key-command.ts';

const ID_CHARACTERS = 16;

/** A command names no key, so what it made names it. */
const madeBy = (wrapped: Buffer): string => sha256Hex(wrapped.toString('base64')).slice(0, ID_CHARACTERS);

const bytesOf = (key: KeyObject): Buffer => Buffer.from(writeInstallationKey(key), 'base64');

/** Wraps the key of the installation by a command, and has it unwrapped again before anything rests on it. */
const wrapByCommand = async (command: KeyCommand, key: KeyObject): Promise<WrappedKey> => {
  const bytes = bytesOf(key);
  try {
    const wrapped = await runKeyCommand(command, 'wrap', bytes);
    if (wrapped.includes(bytes.subarray(0, ID_CHARACTERS)))
      throw new KeyFault(
        `The command of SVC_MASTER_KEY_COMMAND ("${command.words[0]}") returned the key unchanged. It must encrypt the key.`,
      );
    const again = await runKeyCommand(command, 'unwrap', wrapped);
    if (!again.equals(bytes))
      throw new KeyFault(`The command of SVC_MASTER_KEY_COMMAND ("${command.words[0]}") did not unwrap the key that it had wrapped.`);
    return { id: madeBy(wrapped), kind: 'COMMAND', wrapped };
  } finally {
    bytes.fill(0);
  }
};

/** The key of the installation as it is stored under this master key. Throws a KeyFault where a command cannot. */
export const wrapKey = async (master: MasterKey, key: KeyObject): Promise<WrappedKey> =>
  master.kind === 'KEY'
    ? { id: masterKeyId(master.key), kind: 'KEY', wrapped: wrapInstallationKey(master.key, key) }
    : wrapByCommand(master.command, key);

/** What was wrapped. Throws a KeyFault where a command cannot, and a CredentialKeyError where it is not what was wrapped. */
export const unwrapKey = async (master: MasterKey, { wrapped }: Pick<WrappedKey, 'wrapped'>): Promise<KeyObject> => {
  if (master.kind === 'KEY') return unwrapInstallationKey(master.key, wrapped);
  const key = readInstallationKey((await runKeyCommand(master.command, 'unwrap', wrapped)).toString('base64'));
  if (key === undefined)
    throw new KeyFault(
      `The command of SVC_MASTER_KEY_COMMAND ("${master.command.words[0]}") unwrapped a value that is not an installation key.`,
    );
  return key;
};

/** Whether two are one: the same key, or the same words of a command. What a command does with them is not known here. */
export const isSameMaster = (one: MasterKey, other: MasterKey): boolean => {
  if (one.kind === 'KEY') return other.kind === 'KEY' && masterKeyId(one.key) === masterKeyId(other.key);
  return other.kind === 'COMMAND' && JSON.stringify(one.command.words) === JSON.stringify(other.command.words);
};
