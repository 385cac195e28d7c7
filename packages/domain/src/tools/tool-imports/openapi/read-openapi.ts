import type { Document, Draft, NotProposed, ReadDocument } from '../draft/proposal.ts';
import { isMembers, lineOf, type Members, memberOf, membersOf, textOf } from '../draft/reading.ts';
import { keyOf, uniqueKeys } from '../judge/keys.ts';
import { newResolve, type Resolve, resolved } from '../schema/resolve-reference.ts';
import type { Api, Operation } from './api.ts';
import { readOperation } from './read-operation.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

const sharedOf = (item: unknown, resolve: Resolve): Members => {
  const found = resolved(item, resolve);
  return 'value' in found ? membersOf(found.value) : {};
};

const operationsOf = ({ root, resolve }: Api): readonly Operation[] => {
  const found = Object.entries(membersOf(root.paths)).flatMap(([path, item]) => {
    const shared = sharedOf(item, resolve);
    return METHODS.flatMap((method) => {
      const members = memberOf(shared, method);
      return path.startsWith('/') && isMembers(members) ? [{ method: method.toUpperCase(), path, shared, members }] : [];
    });
  });
  const keys = uniqueKeys(
    found.map(({ method, path, members }) => ({
      written: textOf(members.operationId),
      otherwise: keyOf(`${method} ${path}`),
      place: `${method} ${path}`,
    })),
  );
  return found.map((each, index) => ({ ...each, key: keys[index] ?? '' }));
};

const unreadPaths = ({ root, resolve }: Api): readonly NotProposed[] =>
  Object.entries(membersOf(root.paths)).flatMap(([path, item]) => {
    const found = resolved(item, resolve);
    return 'fault' in found ? [{ key: keyOf(path), operation: path, summary: '', refused: `Its path ${found.fault}.` }] : [];
  });

/** Reads an OpenAPI 3.0 or 3.1 document. */
export const readOpenApi = ({ root, options }: Document): ReadDocument => {
  const version = textOf(root.openapi);
  if (!/^3\.[01](\.|$)/.test(version))
    return { fault: `OpenAPI ${version.slice(0, 20)} is not read: send a document of version 3.0 or 3.1.` };
  const api: Api = { root, resolve: newResolve(root), options };
  const info = membersOf(root.info);
  const operations: (Draft | NotProposed)[] = operationsOf(api).map((operation) => readOperation(api, operation));
  return {
    format: `OpenAPI ${version.slice(0, 20)}`,
    title: lineOf(info.title, 200),
    version: lineOf(info.version, 60),
    operations: [...operations, ...unreadPaths(api)],
  };
};
