import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { getUsageError } from '../exit-codes.ts';
import { isSystemError, parseObject, readText } from '../files/json-file.ts';
import type { Cli } from '../session/cli.ts';

/** One policy in a file. The id is written into the file once the service has the policy. */
export type PolicyFile = {
  readonly path: string;
  readonly id: string | undefined;
  readonly name: string;
  readonly description: string | undefined;
  readonly currency: string | undefined;
  readonly binding: { readonly scope: Scope; readonly id: string } | undefined;
  readonly rules: readonly JsonObject[];
  readonly tests: readonly JsonObject[];
};

const SCOPES = ['ORGANIZATION', 'WORKSPACE', 'ENVIRONMENT', 'AGENT'] as const;
type Scope = (typeof SCOPES)[number];

const ENDING = '.policy.json';
export const FILES_MAX = 500;

const readObjects = (value: unknown, path: string, member: string): readonly JsonObject[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'object' || each === null))
    throw getUsageError(`${path}: "${member}" is not a list of objects.`);
  return value;
};

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const readBinding = (value: unknown, path: string): PolicyFile['binding'] => {
  if (value === undefined || value === null) return undefined;
  const { scope, id } = value as JsonObject;
  const known = SCOPES.find((each) => each === scope);
  if (known === undefined || typeof id !== 'string')
    throw getUsageError(`${path}: "binding" needs "scope" (${SCOPES.join(', ')}) and "id".`);
  return { scope: known, id };
};

/** Reads one policy file. */
export const readPolicyFile = (path: string): PolicyFile => {
  const file = parseObject(readText(path), path);
  return {
    path,
    id: text(file.id),
    name: text(file.name) ?? basename(path, ENDING),
    description: text(file.description),
    currency: text(file.currency),
    binding: readBinding(file.binding, path),
    rules: readObjects(file.rules, path, 'rules'),
    tests: readObjects(file.tests, path, 'tests'),
  };
};

/** The folder of policies: named, from the project file, or `policies`. */
export const getPoliciesFolder = (cli: Cli, given: string | undefined): string => {
  if (given !== undefined) return resolve(given);
  const { project } = cli;
  return project === undefined ? resolve('policies') : resolve(dirname(project.path), project.policies ?? 'policies');
};

export const readFolder = (folder: string): readonly PolicyFile[] => {
  try {
    const names = readdirSync(folder)
      .filter((name) => name.endsWith(ENDING))
      .toSorted();
    if (names.length > FILES_MAX) throw getUsageError(`${folder} holds more than ${FILES_MAX} policy files.`);
    return names.map((name) => readPolicyFile(join(folder, name)));
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'ENOTDIR')) throw error;
    throw getUsageError(`There is no folder ${folder}.`, 'Run: svc policies pull, or name the folder.');
  }
};

const fileName = (name: string): string =>
  `${
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 80) || 'policy'
  }${ENDING}`;

/** Writes a policy in the order in which people read it. Returns the path. */
export const writePolicyFile = (
  folder: string,
  schemaUrl: string,
  policy: Omit<PolicyFile, 'path'> & { readonly path?: string },
): string => {
  mkdirSync(folder, { recursive: true });
  const path = policy.path ?? join(folder, fileName(policy.name));
  const { id, name, description, currency, binding, rules, tests } = policy;
  const file = { $schema: schemaUrl, id, name, description: description === '' ? undefined : description, currency, binding, rules, tests };
  writeFileSync(path, `${JSON.stringify(file, undefined, 2)}\n`);
  return path;
};
