import type { Setting } from '@svc/contract/tables/setting-kinds.ts';
import { findNetworkFault } from '@svc/egress/names/address-rules.ts';
import { findNameServerFault } from '@svc/egress/names/name-server-fault.ts';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { normaliseHost } from '@svc/policy/values/normalise-host.ts';
import { readCommand } from '../keys/read-command.ts';
import { readMetricsAddress } from '../metrics/serve-metrics.ts';
import { findProviderUrlFault } from './provider-address.ts';
import { findReceiverFault, findWitnessFault } from './witness.ts';

type Form = Extract<Setting, { kind: 'text' }>['form'];
type Listed = Extract<Setting, { kind: 'list' }>['of'];
/** Returns the fault of a value, as a sentence that begins with the setting's name; undefined if it is valid. */
type Check = (name: string, value: string) => string | undefined;

const isAddress = (text: string, schemes: readonly string[]): boolean => {
  // A PostgreSQL address over a unix socket has no host, which the URL parser rejects.
  const whole = text.replace('@/', '@localhost/');
  return URL.canParse(whole) && schemes.includes(new URL(whole).protocol);
};

/** An address may contain a password, so the value is not repeated. */
const getAddress =
  (schemes: readonly string[], example: string): Check =>
  (name, value) =>
    isAddress(value, schemes) ? undefined : `${name} must be an address such as ${example}; unset it to disable this.`;

/** Paths are appended to it, so it must end where they begin. */
const isPublicAddress = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && !/[?#]/.test(text) && url.username === '' && url.password === '';
};

/** A mail address, or a name followed by one in angle brackets. */
const MAILBOX = /^(?:[^<>@\r\n]{1,100} <[^<>@\s]{1,64}@[^<>@\s]{1,253}>|[^<>@\s]{1,64}@[^<>@\s]{1,253})$/;

/** Returns true if a Redis address names a database by its number, or none, which means the first. */
const namesDatabase = ({ pathname, searchParams }: URL): boolean =>
  [pathname.slice(1), ...searchParams.getAll('db')].every((named) => /^[0-9]*$/.test(named));

export const TEXT_FORMS: Readonly<Record<Form, Check>> = {
  any: () => undefined,
  folder: (name, value) =>
    /^~[\w.-]*(\/|$)/.test(value)
      ? `${name} is "${value}", but ~ was not expanded. Use $HOME instead, for example ${name}="$HOME/governance-data" npm start.`
      : undefined,
  address: (name, value) => (URL.canParse(value) ? undefined : `${name} must be a URL such as https://governance.example.com.`),
  'public address': (name, value) =>
    isPublicAddress(value)
      ? undefined
      : `${name} must be an http or https address without a user, a query or a fragment, such as https://governance.example.com; unset it to use the address that the plane listens on.`,
  database: getAddress(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database'),
  redis: (name, value) =>
    getAddress(['redis:', 'rediss:'], 'redis://host:6379')(name, value) ??
    (namesDatabase(new URL(value))
      ? undefined
      : `${name} must end in a database number, such as redis://host:6379/1, or have none for the first database.`),
  'mail server': (name, value) =>
    isAddress(value, ['smtp:', 'smtps:']) && new URL(value).hostname !== '' && !/[?#]/.test(value)
      ? undefined
      : `${name} must be an address such as smtps://user:password@mail.example:465; unset it to disable this.`,
  mailbox: (name, value) =>
    MAILBOX.test(value) ? undefined : `${name} is "${value}", but must be a sender such as Governance <governance@example.com>.`,
  'master key': (name, value) => {
    const read = readMasterKey(value);
    return read.ok ? undefined : `${name}: ${read.reason}`;
  },
  command: (name, value) =>
    readCommand(value) === undefined
      ? `${name} must be a JSON array of strings, such as ["/usr/local/bin/kms-wrap", "alias/governance"], or words separated by spaces without quotes; no shell is used.`
      : undefined,
  provider: (name, value) => {
    const fault = findProviderUrlFault(value);
    return fault === undefined ? undefined : `${name} ${fault}`;
  },
  collector: (name, value) =>
    isAddress(value, ['http:', 'https:']) ? undefined : `${name} must be an http or https address, such as http://127.0.0.1:4318.`,
  receiver: (name, value) =>
    findReceiverFault(value) === undefined
      ? undefined
      : `${name} must be an http or https address without a user or a fragment, such as https://notary.example/checkpoints; unset it to disable this.`,
  'access key': (name, value) =>
    /^[^:\s]{1,200}:\S{1,500}$/.test(value) ? undefined : `${name} must be the id of an access key and its secret, separated by a colon.`,
  listening: (name, value) =>
    readMetricsAddress(value) === undefined
      ? `${name} is "${value}", but must be an address to listen on, such as 127.0.0.1:9464.`
      : undefined,
};

const HOST = /^(\[[^\]]+\]|[^:/?#@\s]+)(?::\d{1,5})?$/;
const hostFault = (item: string): string | undefined =>
  normaliseHost(HOST.exec(item)?.[1] ?? '') === null
    ? `"${item}" must be a host such as chat.example.com or chat.example.com:8065`
    : undefined;

/** Returns the fault of one list item, without the end of the sentence; undefined if it is valid. */
export const LIST_FORMS: Readonly<Record<Listed, (item: string) => string | undefined>> = {
  networks: findNetworkFault,
  'name servers': findNameServerFault,
  witnesses: findWitnessFault,
  hosts: hostFault,
};
