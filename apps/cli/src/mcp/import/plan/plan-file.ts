import type { ConfigScope, Format } from '../formats/format.ts';
import { SYNTAXES } from '../text/config-text.ts';
import { maskUrl, maskWords } from './mask-secrets.ts';
import { isMovedSecret, type MovedSecret, readMovedSecret } from './moved-secret.ts';
import { type ConfigEntry, listEntries, readServer, type Server } from './read-entries.ts';

/** The package that a local server is run from: its exact version with the digest of its archive, or why there is none. */
export type PackagePin =
  | {
      readonly kind: 'PINNED';
      readonly name: string;
      readonly version: string;
      readonly integrity: string;
      /** Arguments of the command, with the exact version. */
      readonly args: readonly string[];
    }
  | { readonly kind: 'UNPINNED'; readonly reason: string };

/** The planned change of an entry. */
export type FileStep =
  | {
      readonly action: 'PROXY';
      readonly entry: ConfigEntry;
      readonly server: Extract<Server, { kind: 'LOCAL' }>;
      readonly prefix: string;
      /** Missing for a command that runs no package. */
      readonly pin?: PackagePin;
    }
  | {
      readonly action: 'REGISTER';
      readonly entry: ConfigEntry;
      readonly server: Extract<Server, { kind: 'REMOTE' }>;
      readonly credentialId: string | undefined;
      /** Becomes the credential of the server. */
      readonly secret: MovedSecret | undefined;
    }
  | { readonly action: 'GOVERNED'; readonly entry: ConfigEntry }
  | { readonly action: 'LEAVE'; readonly entry: ConfigEntry; readonly reason: string };

export type FilePlan = { readonly path: string; readonly scope: ConfigScope; readonly format: Format; readonly steps: readonly FileStep[] };

const PREFIX_CHARS_MAX = 40;

/** First part of the names of tools, made of the name of the server. */
const newPrefix = (name: string): string => {
  const word = name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, PREFIX_CHARS_MAX);
  return `${word === '' ? 'server' : word}.`;
};

/** Credentials by the name of the server; `none` sends no header. */
export type Credentials = Readonly<Record<string, string>>;

const HEADERS_REASON = (name: string): string =>
  `it sends headers. Store the secret with "svc credentials create", and repeat with --credential ${name}=crd_… (or ${name}=none), or with --move-secrets`;

/** Choices for servers that send secrets. */
export type SecretTerms = { readonly credentials: Credentials; readonly movesSecrets: boolean };

const planRemote = (
  entry: ConfigEntry,
  server: Extract<Server, { kind: 'REMOTE' }>,
  { credentials, movesSecrets }: SecretTerms,
): FileStep => {
  const { name } = entry;
  const chosen = Object.hasOwn(credentials, name) ? credentials[name] : undefined;
  if (new URL(server.url).search !== '' || new URL(server.url).username !== '')
    return { action: 'LEAVE', entry, reason: 'its address holds a query or a user name, which may be a secret. Store it as a credential' };
  const hasHeaders = server.headers.length > 0;
  if (hasHeaders && chosen === undefined && !movesSecrets) return { action: 'LEAVE', entry, reason: HEADERS_REASON(name) };
  const secret = hasHeaders && chosen === undefined ? readMovedSecret(server.headers) : undefined;
  if (secret !== undefined && !isMovedSecret(secret)) return { action: 'LEAVE', entry, reason: secret.reason };
  return { action: 'REGISTER', entry, server, credentialId: chosen === 'none' ? undefined : chosen, secret };
};

const planEntry = (format: Format, entry: ConfigEntry, terms: SecretTerms): FileStep => {
  const server = readServer(format, entry);
  switch (server.kind) {
    case 'LOCAL':
      return { action: 'PROXY', entry, server, prefix: newPrefix(entry.name) };
    case 'REMOTE':
      return planRemote(entry, server, terms);
    case 'GOVERNED':
      return { action: 'GOVERNED', entry };
    case 'OTHER':
      return { action: 'LEAVE', entry, reason: server.reason };
  }
};

export const planFile = (path: string, scope: ConfigScope, format: Format, text: string, terms: SecretTerms): FilePlan => ({
  ...{ path, scope, format },
  steps: listEntries(format, SYNTAXES[format.syntax].read(text)).map((entry) => planEntry(format, entry, terms)),
});

/** A step without secrets. */
export type StepDescription = {
  readonly name: string;
  readonly action: FileStep['action'];
  readonly detail: string;
  readonly env?: readonly string[];
  /** The same pin as in the configuration of the connector. */
  readonly package?: { readonly name: string; readonly version: string; readonly integrity: string };
  readonly not_pinned?: string;
};

const describePin = (pin: PackagePin | undefined): Pick<StepDescription, 'package' | 'not_pinned'> => {
  if (pin === undefined) return {};
  if (pin.kind === 'UNPINNED') return { not_pinned: pin.reason };
  const { name, version, integrity } = pin;
  return { package: { name, version, integrity } };
};

export const describeStep = (step: FileStep): StepDescription => {
  const { name } = step.entry;
  const { action } = step;
  if (step.action === 'PROXY') {
    const { program, args, env } = step.server;
    return { name, action, detail: maskWords([program, ...args]).join(' '), env: Object.keys(env), ...describePin(step.pin) };
  }
  if (step.action === 'REGISTER') {
    const { secret } = step;
    const header = secret?.placement?.header ?? 'Authorization';
    return {
      name,
      action,
      detail: `${maskUrl(step.server.url)}${secret === undefined ? '' : `  (the secret of ${header} becomes a credential)`}`,
    };
  }
  return { name, action, detail: step.action === 'LEAVE' ? step.reason : 'is governed already' };
};
