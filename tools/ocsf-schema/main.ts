/**
 * Writes the OCSF classes that exports use, with all objects they refer to, to one compact file. The argument is a directory with the files
 * of the repository github.com/ocsf/ocsf-schema at the tag of `OCSF_VERSION`; captions and descriptions are omitted.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { OCSF_VERSION } from '@svc/contract/tables/ocsf-classes.ts';

type Attribute = {
  type?: string;
  is_array?: boolean;
  requirement?: string;
  profile?: string | null;
  enum?: Readonly<Record<string, unknown>>;
};
type Definition = {
  name: string;
  uid?: number;
  extends?: string;
  category?: string;
  meta?: string;
  profiles?: readonly string[];
  attributes: Readonly<Record<string, Attribute | readonly string[]>>;
  constraints?: Readonly<Record<string, readonly string[]>>;
};

const CLASSES = ['api_activity', 'authentication', 'account_change', 'entity_management', 'detection_finding'];
const OUTPUT = join(import.meta.dirname, '../../packages/testing/src/ocsf/schema.json');

const [, , root] = argv;
if (root === undefined) throw new Error('Give the directory of the schema repository.');

const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
const definitionsBelow = (folder: string): ReadonlyMap<string, Definition> => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  return new Map(
    files.map((file) => {
      const definition = read(join(folder, file)) as Definition;
      return [definition.name, definition];
    }),
  );
};

const { version } = read('version.json') as { version: string };
if (version !== OCSF_VERSION) throw new Error(`The directory holds version ${version}, not ${OCSF_VERSION}.`);
const dictionary = read('dictionary.json') as { attributes: Record<string, Attribute>; types: { attributes: Record<string, object> } };
const classes = definitionsBelow('events');
const objects = definitionsBelow('objects');

/** Returns the attributes of a definition with those it includes and inherits; those of a profile carry its name. */
const listAttributes = (definition: Definition, all: ReadonlyMap<string, Definition>): Record<string, Attribute> => {
  const parent = definition.extends === undefined ? undefined : all.get(definition.extends);
  const merged: Record<string, Attribute> = parent ? listAttributes(parent, all) : {};
  const add = (attributes: Definition['attributes'], profile?: string): void => {
    for (const path of (attributes.$include as readonly string[] | undefined) ?? []) {
      const included = read(path) as Definition;
      add(included.attributes, included.meta === 'profile' ? included.name : undefined);
    }
    for (const [name, attribute] of Object.entries(attributes) as [string, Attribute][]) {
      if (name === '$include') continue;
      const before = merged[name];
      const words = { ...before?.enum, ...attribute.enum };
      merged[name] = {
        ...before,
        ...(profile === undefined ? {} : { profile }),
        ...attribute,
        ...(Object.keys(words).length > 0 && { enum: words }),
      };
    }
  };
  add(definition.attributes);
  return merged;
};

const listConstraints = (definition: Definition, all: ReadonlyMap<string, Definition>): object => {
  const parent = definition.extends === undefined ? undefined : all.get(definition.extends);
  return { ...(parent && listConstraints(parent, all)), ...definition.constraints };
};

const compact = (name: string, { requirement, profile, is_array, type, enum: words }: Attribute): object => {
  const general = dictionary.attributes[name];
  const values = { ...general?.enum, ...words };
  return {
    type: type ?? general?.type,
    ...((is_array ?? general?.is_array) && { array: true }),
    ...(requirement === 'required' && { required: true }),
    ...(typeof profile === 'string' && { profile }),
    ...(Object.keys(values).length > 0 && { enum: Object.keys(values) }),
  };
};

const needed = new Set<string>();
const compactAll = (definition: Definition, all: ReadonlyMap<string, Definition>): object => {
  const attributes = Object.fromEntries(
    Object.entries(listAttributes(definition, all)).map(([name, attribute]) => [name, compact(name, attribute) as { type: string }]),
  );
  for (const { type } of Object.values(attributes)) if (objects.has(type)) needed.add(type);
  return { attributes, constraints: listConstraints(definition, all) };
};

const written: Record<string, object> = {};
for (const name of CLASSES) {
  const definition = classes.get(name);
  if (definition?.uid === undefined) throw new Error(`${name} is not a class of the schema.`);
  written[name] = compactAll(definition, classes);
}
const writtenObjects: Record<string, object> = {};
for (const name of needed) {
  const definition = objects.get(name);
  if (definition) writtenObjects[name] = compactAll(definition, objects);
}
writeFileSync(OUTPUT, `${JSON.stringify({ version, classes: written, objects: writtenObjects })}\n`);
