import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { ImportDocument, ImportFormat, ParsedImport, ProposalDraft, RejectedOperation } from '../draft/proposal.ts';
import { isMembers, readMembers, readMemberValue, readText, toLine } from '../draft/reading.ts';
import { deriveOperationKey, listUniqueKeys } from '../judge/keys.ts';
import { newResolve, type Resolve, resolved } from '../schema/resolve-reference.ts';
import type { Api, ApiOperation } from './api.ts';
import { convertSwagger } from './convert-swagger.ts';
import { readOperation } from './read-operation.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

type Found = Omit<ApiOperation, 'key' | 'isTwin'> & { readonly fault?: string };

/** The operations of one path; of one that cannot be read only the path itself, with the fault. */
const foundAt = (path: string, item: unknown, resolve: Resolve): readonly Found[] => {
  const found = resolved(item, resolve);
  if ('fault' in found) return [{ method: '', path, shared: {}, members: {}, fault: found.fault }];
  const shared = readMembers(found.value);
  if (!path.startsWith('/')) return [];
  return METHODS.flatMap((method) => {
    const members = readMemberValue(shared, method);
    return isMembers(members) ? [{ method: method.toUpperCase(), path, shared, members }] : [];
  });
};

const listOperations = (api: Api): readonly (ProposalDraft | RejectedOperation)[] => {
  const found = Object.entries(readMembers(api.root.paths)).flatMap(([path, item]) => foundAt(path, item, api.resolve));
  const keys = listUniqueKeys(
    found.map(({ method, path, members }) => ({
      written: readText(members.operationId),
      otherwise: deriveOperationKey(`${method} ${path}`),
      place: `${method} ${path}`,
    })),
  );
  return found.map(({ fault, ...each }, index) => {
    const { key, isTwin } = keys[index] ?? { key: '', isTwin: true };
    if (fault === undefined) return readOperation(api, { ...each, key, isTwin });
    return { key, operation: toLine(each.path, 500), summary: '', refused: `Its path ${fault}.` };
  });
};

const formatOf = (root: JsonObject, version: string): string =>
  typeof root.openapi === 'string' ? `OpenAPI ${toLine(version, 20)}` : `Swagger ${toLine(root.swagger, 20)}`;

/** Reads an OpenAPI 3.0 or 3.1 document, or a Swagger 2.0 document that it converts first. */
const readOpenApi = ({ root, options }: ImportDocument): ParsedImport => {
  const converted = typeof root.openapi === 'string' ? { root } : convertSwagger(root, options);
  if ('fault' in converted) return converted;
  const version = readText(converted.root.openapi);
  if (!/^3\.[01](\.|$)/.test(version))
    return { fault: `OpenAPI ${toLine(version, 20)} is not supported. Send a document of version 3.0 or 3.1.` };
  const api: Api = { root: converted.root, resolve: newResolve(converted.root), options };
  const info = readMembers(root.info);
  return {
    format: formatOf(root, version),
    title: toLine(info.title, 200),
    version: toLine(info.version, 60),
    operations: listOperations(api),
    root: converted.root,
  };
};

export const openApi: ImportFormat = {
  called: 'OpenAPI document (openapi or swagger)',
  isOf: ({ openapi, swagger }) => typeof openapi === 'string' || typeof swagger === 'string',
  read: readOpenApi,
};
