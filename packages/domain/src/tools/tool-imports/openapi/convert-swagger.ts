import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { ImportOptions } from '../draft/proposal.ts';
import { isMembers, readList, readMembers, readMemberValue, readText, toLine } from '../draft/reading.ts';
import { findTreeFault } from '../schema/tree-bounds.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const HOPS_MAX = 16;

export type ConvertedSwagger = { readonly root: JsonObject } | { readonly fault: string };

/** A parameter with the value of its reference; undefined if that leads nowhere. */
const parameterAt = (root: JsonObject, value: unknown): JsonObject | undefined => {
  let found = value;
  for (let hops = 0; hops < HOPS_MAX; hops += 1) {
    const reference = readMemberValue(found, '$ref');
    if (typeof reference !== 'string') return isMembers(found) && readText(found.in) !== '' ? found : undefined;
    const [, name = ''] = /^#\/parameters\/([^/]+)$/.exec(reference) ?? [];
    found = readMemberValue(root.parameters, name.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return undefined;
};

const texts = (value: unknown): readonly string[] => readList(value).filter((each): each is string => typeof each === 'string');

/** Returns the media types of a body; fields of a form are url-encoded unless they are files or the document states otherwise. */
const readConsumed = (root: JsonObject, operation: JsonObject, parameters: readonly JsonObject[]): readonly string[] => {
  const declared = texts(operation.consumes).length > 0 ? texts(operation.consumes) : texts(root.consumes);
  const fields = parameters.filter((each) => each.in === 'formData');
  const isForm = declared.some((type) => type === FORM || type === MULTIPART);
  if (fields.length === 0 || isForm) return declared.length > 0 ? declared : ['application/json'];
  return fields.some((each) => each.type === 'file') ? [MULTIPART] : [FORM];
};

/** Returns one operation with its own and the shared parameters; responses are not needed for a proposal. */
const readOperation = (root: JsonObject, shared: readonly unknown[], operation: JsonObject): JsonObject | { readonly lost: string } => {
  const named = new Map<string, JsonObject>();
  for (const each of [...shared, ...readList(operation.parameters)]) {
    const parameter = parameterAt(root, each);
    const reference = readMemberValue(each, '$ref');
    if (parameter === undefined && typeof reference === 'string') return { lost: toLine(reference, 100) };
    if (parameter === undefined) continue;
    named.set(parameter.in === 'body' ? 'body' : `${parameter.in} ${parameter.name}`, parameter);
  }
  const parameters = [...named.values()];
  const { responses: _responses, produces: _produces, schemes: _schemes, ...rest } = operation;
  return { ...rest, parameters, consumes: readConsumed(root, operation, parameters) };
};

/** A path whose operations can be converted, or the path with its reference, which is refused later. */
const convertPath = (root: JsonObject, item: unknown): JsonObject => {
  const members = readMembers(item);
  if (typeof members.$ref === 'string') return { $ref: members.$ref };
  const shared = readList(members.parameters);
  const operations = METHODS.flatMap((method) => {
    const operation = readMemberValue(members, method);
    if (!isMembers(operation)) return [];
    const complete = readOperation(root, shared, operation);
    // A parameter that is missing refuses its operation by the same reference.
    return [
      [
        method,
        'lost' in complete ? { ...operation, responses: {}, parameters: [{ $ref: complete.lost, in: 'query' }] } : complete,
      ] as const,
    ];
  });
  return Object.fromEntries(operations);
};

const SCHEMES = ['https', 'http'];

/** The schemes that tools call, https first; the others only if there are no such, so that the refusal names them. */
const readSchemes = (root: JsonObject, { address }: ImportOptions): readonly string[] => {
  const written = texts(root.schemes).map((scheme) => scheme.toLowerCase());
  const called = SCHEMES.filter((scheme) => written.includes(scheme));
  if (written.length > 0) return called.length > 0 ? called : written.slice(0, 1);
  return [URL.parse(address ?? '')?.protocol === 'http:' ? 'http' : 'https'];
};

/** Returns the members of a document that proposals use, each in the form that the conversion expects. */
const prepared = (root: JsonObject, options: ImportOptions): JsonObject => ({
  swagger: '2.0',
  info: root.info,
  ...(readText(root.host) === '' ? {} : { host: readText(root.host), schemes: [...readSchemes(root, options)] }),
  ...(readText(root.basePath) === '' ? {} : { basePath: `/${readText(root.basePath).replace(/^\/+/, '')}` }),
  ...(Array.isArray(root.security) ? { security: root.security } : {}),
  ...(isMembers(root.securityDefinitions) ? { securityDefinitions: root.securityDefinitions } : {}),
  ...(isMembers(root.definitions) ? { definitions: root.definitions } : {}),
  paths: Object.fromEntries(Object.entries(readMembers(root.paths)).map(([path, item]) => [path, convertPath(root, item)])),
});

/** A form with a required field is a required body, which Swagger 2.0 has no word for. */
const requireForms = (root: JsonObject): void => {
  for (const item of Object.values(readMembers(root.paths)))
    for (const method of METHODS) {
      const body = readMemberValue(readMemberValue(item, method), 'requestBody');
      const media = Object.values(readMembers(readMemberValue(body, 'content')));
      if (
        isMembers(body) &&
        !Object.hasOwn(body, 'required') &&
        media.some((each) => readList(readMemberValue(readMemberValue(each, 'schema'), 'required')).length > 0)
      )
        Object.assign(body, { required: true });
    }
};

/** Converts a Swagger 2.0 document to OpenAPI 3. Its size is bounded before and after, because the conversion copies shared parts. */
export const convertSwagger = (root: JsonObject, options: ImportOptions): ConvertedSwagger => {
  if (!/^2\.0(?:\.|$)/.test(readText(root.swagger)))
    return { fault: `Swagger ${toLine(root.swagger, 20)} is not supported. Send a document of Swagger 2.0 or OpenAPI 3.0 or 3.1.` };
  const written = prepared(root, options);
  const large = findTreeFault(written);
  if (large !== undefined) return { fault: large };
  try {
    const converted: unknown = upgradeFromTwoToThree(structuredClone(written));
    if (!isMembers(converted)) return { fault: 'The Swagger document cannot be converted.' };
    const grown = findTreeFault(converted);
    if (grown !== undefined) return { fault: grown };
    requireForms(converted);
    return { root: converted };
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error;
    return { fault: 'The Swagger document cannot be converted: a part of it does not have the shape of Swagger 2.0.' };
  }
};
