import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { type CatalogueParameter, PARAMETER_TYPES, type ServiceAction } from '@svc/contract/tools/catalogue-entry.ts';
import { isMembers, readList, readMembers, readText } from '@svc/domain/tools/tool-imports/draft/reading.ts';
import { resolveShape } from '@svc/domain/tools/tool-imports/openapi/read-shape.ts';
import { resolved } from '@svc/domain/tools/tool-imports/schema/resolve-reference.ts';
import type { FoundOperation } from './read-operation.ts';

const PARAMETERS_MAX = 40;
const ENUM_MAX = 60;
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\b/;
const FORM = 'application/x-www-form-urlencoded';
const FORMATS = ['date', 'date-time', 'email', 'uri', 'uuid'] as const;

/** Facts of an action that a document states. A person adds the name, the effects and the risk. */
export type DraftedAction = Pick<ServiceAction, 'method' | 'path' | 'parameters'> & {
  readonly body_format?: 'form';
  /** Properties that the document has and the draft has not, with the reason. */
  readonly left_out: readonly string[];
};

type Type = CatalogueParameter['type'];

const readType = (schema: JsonObject): Type | undefined => {
  const word = [schema.type].flat().find((each) => each !== 'null');
  return PARAMETER_TYPES.find((type) => type === word);
};

const schemaAt = (value: unknown, { resolve }: FoundOperation): JsonObject => {
  const found = resolved(value, resolve);
  return 'value' in found ? readMembers(found.value) : {};
};

const isScalar = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value);

const findNumber = <Name extends string>(name: Name, value: unknown): Partial<Record<Name, number>> =>
  typeof value === 'number' && Number.isFinite(value) ? ({ [name]: value } as Record<Name, number>) : {};

const bounds = (schema: JsonObject): Partial<CatalogueParameter> => {
  const words = readList(schema.enum).filter(isScalar);
  const format = FORMATS.find((each) => each === schema.format);
  return {
    ...(words.length > 0 && words.length <= ENUM_MAX ? { enum: words } : {}),
    ...(format === undefined ? {} : { format }),
    ...findNumber('minimum', schema.minimum),
    ...findNumber('maximum', schema.maximum),
    ...findNumber('max_length', schema.maxLength),
    ...findNumber('max_items', schema.maxItems),
  };
};

const plainName = (name: string): string =>
  name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^(?=[0-9])|_+$/g, (found) => (found === '' ? '_' : '')) || '_';

const newParameter = (
  operation: FoundOperation,
  { name, position, schema: given, required }: { name: string; position: CatalogueParameter['in']; schema: unknown; required: boolean },
): CatalogueParameter => {
  const shape = resolveShape(given, operation.resolve);
  const schema = schemaAt(given, operation);
  const type = readType(schema) ?? (shape.kind === 'list' ? 'array' : shape.kind === 'object' ? 'object' : 'string');
  const items = type === 'array' ? (readType(schemaAt(schema.items, operation)) ?? 'object') : undefined;
  const plain = plainName(name);
  return {
    ...{ name: plain, in: position },
    ...(plain === name ? {} : { sent_as: name }),
    type,
    ...(items === undefined ? {} : { items }),
    required: position === 'path' || required,
    ...bounds(schema),
  };
};

type Body = { readonly parameters: readonly CatalogueParameter[]; readonly isForm: boolean; readonly left_out: readonly string[] };

const readBody = (operation: FoundOperation): Body => {
  const content = readMembers(schemaAt(operation.members.requestBody, operation).content);
  const json = Object.keys(content).find((each) => JSON_TYPE.test(each));
  const media = json ?? Object.keys(content).find((each) => each.startsWith(FORM));
  const others = Object.keys(content);
  if (media === undefined) return { parameters: [], isForm: false, left_out: others.map((each) => `body: ${each} is not supported`) };
  const shape = resolveShape(readMembers(content[media]).schema, operation.resolve);
  if (shape.kind !== 'object') return { parameters: [], isForm: false, left_out: ['body: is no object'] };
  const parameters = Object.entries(shape.properties)
    .filter(([, schema]) => schemaAt(schema, operation).readOnly !== true)
    .map(([name, schema]) => newParameter(operation, { name, position: 'body', schema, required: shape.required.has(name) }));
  return { parameters, isForm: json === undefined, left_out: [] };
};

const POSITIONS = ['path', 'query', 'header'] as const;

/** Names that two positions share get the position in front, since a parameter of an action has one name. */
const distinct = (parameters: readonly CatalogueParameter[]): readonly CatalogueParameter[] => {
  const taken = new Set<string>();
  return parameters.map((each) => {
    const name = taken.has(each.name) ? `${each.in}_${each.name}` : each.name;
    taken.add(name);
    return name === each.name ? each : { ...each, name, sent_as: each.sent_as ?? each.name };
  });
};

/** Required parameters first: an action has at most so many. */
const chosen = (parameters: readonly CatalogueParameter[]): { kept: CatalogueParameter[]; left_out: string[] } => {
  const ordered = [...parameters.filter(({ required }) => required), ...parameters.filter(({ required }) => !required)];
  const left = ordered.slice(PARAMETERS_MAX).map(({ name }) => `${name}: more than ${PARAMETERS_MAX} parameters`);
  return { kept: ordered.slice(0, PARAMETERS_MAX), left_out: left };
};

/** Returns the facts of an operation. Words of the document are not taken over. */
export const draftAction = (operation: FoundOperation): DraftedAction => {
  const given = operation.parameters.flatMap((parameter) => {
    const position = POSITIONS.find((each) => each === parameter.in);
    if (position === undefined) return [];
    const { name, schema, required } = parameter;
    return [newParameter(operation, { name: readText(name), position, schema, required: required === true })];
  });
  const body = readBody(operation);
  const { kept, left_out } = chosen(distinct([...given, ...body.parameters]));
  const named = new Map(kept.filter((each) => each.in === 'path').map(({ name, sent_as }) => [sent_as ?? name, name]));
  const path = operation.path.replace(/\{([^{}]*)\}/g, (whole, name: string) => (named.has(name) ? `{${named.get(name)}}` : whole));
  return {
    method: operation.method as ServiceAction['method'],
    path,
    parameters: kept,
    ...(body.isForm ? { body_format: 'form' as const } : {}),
    left_out: [
      ...body.left_out,
      ...left_out,
      ...operation.parameters.filter(({ in: position }) => position === 'cookie').map((each) => `${readText(each.name)}: is a cookie`),
    ],
  };
};

export const isDocument = (root: unknown): root is JsonObject =>
  isMembers(root) && isMembers(root.paths) && readText(root.openapi).startsWith('3.');
