import { readFileSync } from 'node:fs';
import { OCSF_CLASSES } from '@svc/contract/tables/ocsf-classes.ts';

type Attribute = {
  readonly type: string;
  readonly array?: true;
  readonly required?: true;
  readonly profile?: string;
  readonly enum?: readonly string[];
};
type Definition = {
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly constraints: Readonly<Record<string, readonly string[]>>;
};
type Schema = {
  readonly version: string;
  readonly classes: Readonly<Record<string, Definition>>;
  readonly objects: Readonly<Record<string, Definition>>;
};
type Json = Readonly<Record<string, unknown>>;

const SCHEMA = JSON.parse(readFileSync(new URL('./schema.json', import.meta.url), 'utf8')) as Schema;
const CLASS_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(OCSF_CLASSES).map(([name, { uid }]) => [uid as number, name.toLowerCase()]),
);

const INTEGERS = new Set(['integer_t', 'long_t', 'timestamp_t', 'port_t']);
const FREE = new Set(['object', 'json_t']);
/** Their captions are those of the base class; the number of the class is compared instead. */
const COMPARED_APART = new Set(['class_uid', 'category_uid']);

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const fitsScalar = (type: string, value: unknown): boolean => {
  if (INTEGERS.has(type)) return Number.isSafeInteger(value);
  if (type === 'float_t') return typeof value === 'number';
  if (type === 'boolean_t') return typeof value === 'boolean';
  return typeof value === 'string';
};

const faultsOfValue = (attribute: Attribute, value: unknown, path: string, profiles: ReadonlySet<string>): readonly string[] => {
  const definition = SCHEMA.objects[attribute.type];
  if (FREE.has(attribute.type)) return value === null ? [`${path} is null`] : [];
  if (definition) return isObject(value) ? faultsOfObject(definition, value, path, profiles) : [`${path} is not an object`];
  if (!fitsScalar(attribute.type, value)) return [`${path} is not a ${attribute.type}`];
  return attribute.enum && !COMPARED_APART.has(path) && !attribute.enum.includes(String(value))
    ? [`${path} has no value ${String(value)}`]
    : [];
};

const faultsOfMember = (attribute: Attribute, value: unknown, path: string, profiles: ReadonlySet<string>): readonly string[] => {
  if (!attribute.array) return faultsOfValue(attribute, value, path, profiles);
  if (!Array.isArray(value)) return [`${path} is not a list`];
  return value.flatMap((item, index) => faultsOfValue(attribute, item, `${path}[${index}]`, profiles));
};

const faultsOfObject = (definition: Definition, value: Json, path: string, profiles: ReadonlySet<string>): readonly string[] => {
  const { attributes, constraints } = definition;
  const applies = ({ profile }: Attribute): boolean => profile === undefined || profiles.has(profile);
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const missing = Object.entries(attributes).flatMap(([name, each]) =>
    each.required && applies(each) && value[name] === undefined ? [`${at(name)} is required`] : [],
  );
  const wrong = Object.entries(value).flatMap(([name, each]) => {
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (attribute === undefined) return [`${at(name)} is not in the schema`];
    if (!applies(attribute)) return [`${at(name)} needs the profile ${attribute.profile}`];
    return faultsOfMember(attribute, each, at(name), profiles);
  });
  const broken = Object.entries(constraints).flatMap(([rule, names]) => {
    const present = names.filter((name) => value[name] !== undefined).length;
    return (rule === 'at_least_one' ? present >= 1 : present === 1) ? [] : [`${path} has not ${rule} of ${names.join(', ')}`];
  });
  return [...missing, ...wrong, ...broken];
};

/** Lists where an exported event deviates from the published OCSF schema of its class; an empty list means that it conforms. */
export const listOcsfFaults = (event: Json): readonly string[] => {
  const name = CLASS_NAMES.get(Number(event.class_uid));
  const definition = name === undefined ? undefined : SCHEMA.classes[name];
  if (!definition) return [`class_uid ${String(event.class_uid)} is not a class that exports use`];
  const metadata = isObject(event.metadata) ? event.metadata : {};
  const profiles = new Set(Array.isArray(metadata.profiles) ? metadata.profiles.map(String) : []);
  const { class_uid, activity_id, type_uid, category_uid } = event;
  const numbers = [
    ...(type_uid === Number(class_uid) * 100 + Number(activity_id) ? [] : ['type_uid is not class and activity']),
    ...(category_uid === Math.floor(Number(class_uid) / 1000) ? [] : ['category_uid is not that of the class']),
    ...(metadata.version === SCHEMA.version ? [] : ['metadata.version is another version']),
    ...(activity_id === 99 && event.activity_name === undefined ? ['activity_name is required with activity_id 99'] : []),
  ];
  return [...numbers, ...faultsOfObject(definition, event, '', profiles)];
};
