import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { formatPointer, parsePointer, readPointer } from '@svc/domain/tools/json-pointer.ts';
import { isMembers, readList, readMembers, readText } from '@svc/domain/tools/tool-imports/draft/reading.ts';
import { newResolve, type Resolve, resolved } from '@svc/domain/tools/tool-imports/schema/resolve-reference.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** An operation of an OpenAPI document. */
export type FoundOperation = {
  readonly pointer: string;
  readonly method: string;
  readonly path: string;
  readonly members: JsonObject;
  /** Parameters of the operation and of its path, with references resolved. */
  readonly parameters: readonly JsonObject[];
  readonly resolve: Resolve;
};

const readKey = (parameter: JsonObject): string => `${readText(parameter.in)} ${readText(parameter.name)}`;

const readParameters = (item: JsonObject, operation: JsonObject, resolve: Resolve): readonly JsonObject[] => {
  const all = [...readList(item.parameters), ...readList(operation.parameters)].flatMap((each) => {
    const found = resolved(each, resolve);
    return 'value' in found && isMembers(found.value) ? [found.value] : [];
  });
  return [...new Map(all.map((each) => [readKey(each), each])).values()];
};

/** Returns the operation that a JSON Pointer leads to; undefined if there is none. */
export const findOperation = (root: JsonObject, pointer: string): FoundOperation | undefined => {
  const tokens = parsePointer(pointer);
  const [paths, path, method, ...more] = tokens ?? [];
  if (tokens === null || paths !== 'paths' || path === undefined || method === undefined || more.length > 0) return undefined;
  const members = readPointer(root, tokens);
  if (!METHODS.includes(method) || !isMembers(members)) return undefined;
  const resolve = newResolve(root);
  const parameters = readParameters(readMembers(readPointer(root, ['paths', path])), members, resolve);
  return { pointer, method: method.toUpperCase(), path, members, parameters, resolve };
};

/** Returns the pointers of the operations that a word names: an operationId, or a method and a path such as "GET /items/{id}". */
export const getPointersNamed = (root: JsonObject, word: string): readonly string[] =>
  Object.entries(readMembers(root.paths)).flatMap(([path, item]) =>
    METHODS.filter((method) => {
      const operation = readMembers(item)[method];
      if (!isMembers(operation)) return false;
      return operation.operationId === word || `${method.toUpperCase()} ${path}` === word;
    }).map((method) => formatPointer(['paths', path, method])),
  );
