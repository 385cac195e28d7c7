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

/** A command names no key, so the id derives from its output. */
const madeBy = (wrapped: Buffer): string => sha256Hex(wrapped.toString('base64')).slice(0, ID_CHARACTERS);

const toBytes = (key: KeyObject): Buffer => Buffer.from(writeInstallationKey(key), 'base64');

/** Wraps the installation key by a command, and unwraps it to verify before anything depends on it. */
const wrapByCommand = async (command: KeyCommand, key: KeyObject): Promise<WrappedKey> => {
  const bytes = toBytes(key);
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

/** Wraps the installation key under this master key. Throws a KeyFault if a command fails. */
export const wrapKey = async (master: MasterKey, key: KeyObject): Promise<WrappedKey> =>
  master.kind === 'KEY'
    ? { id: masterKeyId(master.key), kind: 'KEY', wrapped: wrapInstallationKey(master.key, key) }
    : wrapByCommand(master.command, key);

/** Unwraps a key. Throws a KeyFault if a command fails, and a CredentialKeyError if the result is not what was wrapped. */
export const unwrapKey = async (master: MasterKey, { wrapped }: Pick<WrappedKey, 'wrapped'>): Promise<KeyObject> => {
  if (master.kind === 'KEY') return unwrapInstallationKey(master.key, wrapped);
  const key = readInstallationKey((await runKeyCommand(master.command, 'unwrap', wrapped)).toString('base64'));
  if (key === undefined)
    throw new KeyFault(
      `The command of SVC_MASTER_KEY_COMMAND ("${master.command.words[0]}") unwrapped a value that is not an installation key.`,
    );
  return key;
};

/** True if both are the same key, or commands with the same words. The effect of a command is not known here. */
export const isSameMaster = (one: MasterKey, other: MasterKey): boolean => {
  if (one.kind === 'KEY') return other.kind === 'KEY' && masterKeyId(one.key) === masterKeyId(other.key);
  return other.kind === 'COMMAND' && JSON.stringify(one.command.words) === JSON.stringify(other.command.words);
};
