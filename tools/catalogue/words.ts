import { writeFileSync } from 'node:fs';
import { CatalogueFailure } from './read-document.ts';

const isCalledWrongly = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

/** Runs a command. Failures are printed and end it with 2; nothing is written then. */
export const runFailuresPrinted = async (usage: string, run: () => void | Promise<void>): Promise<void> => {
  if (process.argv.includes('--help') || process.argv.includes('-h')) return console.log(usage);
  try {
    await run();
  } catch (error) {
    if (error instanceof CatalogueFailure) console.error(error.message);
    else if (isCalledWrongly(error)) console.error(`${error.message}\n\n${usage}`);
    else throw error;
    process.exitCode = 2;
  }
};

export const getRequiredWord = (name: string, value: string | undefined): string => {
  if (value === undefined || value === '') throw new CatalogueFailure(`${name} is missing. See --help.`);
  return value;
};

type Words = { readonly package?: string; readonly repository?: string; readonly commit?: string };

/** Reads where a document comes from: a package, or a commit of a repository. */
export const readOrigin = ({ package: name, repository, commit = '' }: Words): Words => {
  if (name !== undefined) return { package: name };
  if (repository === undefined) throw new CatalogueFailure('--package or --repository is missing. See --help.');
  if (!/^[0-9a-f]{40}$/.test(commit)) throw new CatalogueFailure('--commit must be the 40 hexadecimal digits of a commit.');
  return { repository, commit };
};

/** Writes a new file. A file that exists stays as it is. */
export const writeProposal = (path: string, value: unknown): void => {
  try {
    writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new CatalogueFailure(error.code === 'EEXIST' ? `${path} exists. Name a new file.` : `${path} cannot be written.`);
  }
};
