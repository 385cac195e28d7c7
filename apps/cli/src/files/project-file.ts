import { dirname, join } from 'node:path';
import { isObject, parseObject, readIfPresent } from './json-file.ts';

/** Defaults of a project, found upwards from the current folder. It is checked in and never holds a secret. */
export type ProjectFile = {
  readonly path: string;
  readonly url?: string;
  readonly workspace?: string;
  readonly environment?: string;
  /** Folder with policies, relative to the file. */
  readonly policies?: string;
  readonly agent?: { readonly id: string; readonly keyFile: string };
};

export const PROJECT_FILE = 'svc.json';
const LEVELS_MAX = 40;

const readAgent = (value: unknown): ProjectFile['agent'] =>
  isObject(value) && typeof value.id === 'string' && typeof value.key_file === 'string'
    ? { id: value.id, keyFile: value.key_file }
    : undefined;

const readProject = (path: string, text: string): ProjectFile => {
  const file = parseObject(text, path);
  const texts = (['url', 'workspace', 'environment', 'policies'] as const).flatMap((name) =>
    typeof file[name] === 'string' ? [[name, file[name]]] : [],
  );
  const agent = readAgent(file.agent);
  return { path, ...Object.fromEntries(texts), ...(agent === undefined ? {} : { agent }) };
};

export const findProjectFile = (start: string): ProjectFile | undefined => {
  let folder = start;
  for (let level = 0; level < LEVELS_MAX; level += 1) {
    const path = join(folder, PROJECT_FILE);
    const text = readIfPresent(path);
    if (text !== undefined) return readProject(path, text);
    if (dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  return undefined;
};
