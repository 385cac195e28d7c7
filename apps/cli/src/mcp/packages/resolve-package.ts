import { execFile } from 'node:child_process';
import { isObject } from '../../files/json-file.ts';
import { getServerEnvironment } from '../../settings.ts';

/** The exact version of a package, and the digest of its archive, as the registry states them. */
export type ResolvedPackage = { readonly version: string; readonly integrity: string };

/** Why a package was not resolved. `isUnreachable`: no other package of the registry can be resolved now either. */
export type UnresolvedPackage = { readonly reason: string; readonly isUnreachable: boolean };

const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,100})?(?:\+[0-9A-Za-z.-]{1,100})?$/u;
export const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/u;
const VIEW_MS = 30_000;
const FETCH_MS = 15_000;
const OUTPUT_BYTES_MAX = 4 * 1024 * 1024;

export const isExactVersion = (version: string | undefined): version is string => version !== undefined && VERSION.test(version);

/** Asks the registry of npm's own configuration. Returns the standard output; undefined if there is no answer. */
const viewPackage = (spec: string): Promise<{ readonly text: string; readonly isFailed: boolean } | undefined> =>
  new Promise((done) => {
    const args = ['view', spec, 'name', 'version', 'dist.integrity', '--json', '--fetch-retries=0', `--fetch-timeout=${FETCH_MS}`];
    const options = { timeout: VIEW_MS, maxBuffer: OUTPUT_BYTES_MAX, env: getServerEnvironment() };
    execFile('npm', args, options, (error, stdout) => {
      if (error !== null && 'code' in error && error.code === 'ENOENT') return done(undefined);
      done({ text: stdout, isFailed: error !== null });
    }).stdin?.end();
  });

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Resolves a version, a tag or a range to the package that npm would install. */
export const resolvePackage = async (name: string, wanted: string | undefined): Promise<ResolvedPackage | UnresolvedPackage> => {
  const viewed = await viewPackage(wanted === undefined ? name : `${name}@${wanted}`);
  if (viewed === undefined) return { reason: 'npm is not installed', isUnreachable: true };
  const answer = parse(viewed.text);
  const error = isObject(answer) && isObject(answer.error) ? answer.error : undefined;
  if (error?.code === 'E404') return { reason: 'the registry has no such package or version', isUnreachable: false };
  if (viewed.isFailed || error !== undefined) return { reason: 'the registry could not be reached', isUnreachable: true };
  // A range has several versions, the newest last.
  const found = Array.isArray(answer) ? answer.at(-1) : answer;
  const { version, 'dist.integrity': integrity } = isObject(found) ? found : {};
  if (typeof version !== 'string' || !VERSION.test(version)) return { reason: 'the registry has no such version', isUnreachable: false };
  if (typeof integrity !== 'string' || !INTEGRITY.test(integrity))
    return { reason: 'the registry states no SHA-512 of its archive', isUnreachable: false };
  return { version, integrity };
};

export const isUnresolved = (read: ResolvedPackage | UnresolvedPackage): read is UnresolvedPackage => 'reason' in read;
