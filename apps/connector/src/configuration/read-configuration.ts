import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Value } from 'typebox/value';
import { Configuration, type ServerConfiguration } from './configuration.ts';

/** A fault of the configuration, for the person who wrote it. */
export class ConfigurationError extends Error {}

const SECRET_CHARS_MIN = 32;
const PLAIN = /^[\x21-\x7e]+$/;

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigurationError(`${path} cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : 'error'}).`);
  }
};

/** Reads the bearer secret. Others than the user must not be able to. */
export const readSecret = (path: string): string => {
  const secret = readText(path).trim();
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new ConfigurationError(`Other users can read ${path}. Run: chmod 600 ${path}`);
  if (secret.length < SECRET_CHARS_MIN || !PLAIN.test(secret))
    throw new ConfigurationError(
      `The secret in ${path} must have at least ${SECRET_CHARS_MIN} visible ASCII characters. Run: openssl rand -hex 32 > ${path}`,
    );
  return secret;
};

const parse = (path: string): unknown => {
  try {
    return JSON.parse(readText(path));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ConfigurationError(`${path} is not JSON: ${error.message}`);
  }
};

const faultOfServer = (
  name: string,
  { command, package: pinned, sandbox, read, write, network }: ServerConfiguration,
): string | undefined => {
  if ((command === undefined) === (pinned === undefined)) return `/servers/${name}: name either command or package.`;
  const isOpen = sandbox === 'NONE' && (read !== undefined || write !== undefined || network !== undefined);
  return isOpen ? `/servers/${name}: read, write and network need the sandbox.` : undefined;
};

/** Reads the configuration. Paths in it are relative to its folder. */
export const readConfiguration = (path: string): Configuration => {
  const value = parse(path);
  const [error] = Value.Errors(Configuration, value);
  if (error !== undefined) throw new ConfigurationError(`${path}: ${error.instancePath || '/'} ${error.message}.`);
  const configuration = Value.Decode(Configuration, value);
  const folder = dirname(resolve(path));
  const absolute = (each: string): string => resolve(folder, each);
  const faults = Object.entries(configuration.servers).flatMap(([name, server]) => faultOfServer(name, server) ?? []);
  if (faults.length > 0) throw new ConfigurationError(`${path}: ${faults.join(' ')}`);
  const place = (server: ServerConfiguration): ServerConfiguration => ({
    ...server,
    ...(server.folder === undefined ? {} : { folder: absolute(server.folder) }),
    ...(server.read === undefined ? {} : { read: server.read.map(absolute) }),
    ...(server.write === undefined ? {} : { write: server.write.map(absolute) }),
    ...(server.package === undefined ? {} : { package: { ...server.package, folder: absolute(server.package.folder) } }),
  });
  return {
    ...configuration,
    secret_file: absolute(configuration.secret_file),
    servers: Object.fromEntries(Object.entries(configuration.servers).map(([name, server]) => [name, place(server)])),
  };
};
