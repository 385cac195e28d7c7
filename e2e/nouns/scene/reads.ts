import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { ID_PREFIXES } from '@svc/contract/tables/ids.ts';
import { PATH_PARAMETERS } from '@svc/contract/tables/path-parameters.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';

export type Resource = Readonly<Record<string, unknown>>;
/** Resources by id as they were read; null for one that did not exist. */
export type ResourcesById = Map<string, Resource | null>;
export type Get = (path: string) => Promise<TestResponse>;

/** How a resource is read: by its own row, or in the list of another row. */
type Reader = { readonly collection: string; readonly isListed: boolean };

const reading = (Object.values(ENDPOINTS) as Endpoint[]).filter(({ method, credential }) => method === 'GET' && credential !== 'directory');
const readable = new Set(reading.map(({ path }) => path));

const getReader = (parameter: string): Reader | undefined => {
  const paths = (Object.values(ENDPOINTS) as Endpoint[]).flatMap(({ path, plane }) => (plane === 'control' ? [path] : []));
  const collections = new Set(paths.flatMap((path) => path.match(new RegExp(`^(/v1[^{]*)/\\{${parameter}\\}`))?.[1] ?? []));
  const single = [...collections].find((collection) => readable.has(`${collection}/{${parameter}}`));
  const listed = [...collections].find((collection) => readable.has(collection));
  if (single !== undefined) return { collection: single, isListed: false };
  return listed === undefined ? undefined : { collection: listed, isListed: true };
};

/** Readers by id prefix, derived from the rows: a new resource with a reading row is compared automatically. */
const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries(PATH_PARAMETERS).flatMap(([parameter, { id }]) => {
    const reader = id === null || parameter.startsWith('directory') ? undefined : getReader(parameter);
    return id === null || reader === undefined ? [] : [[ID_PREFIXES[id], reader] as const];
  }),
);

const ID = /[a-z]+_[0-7][0-9A-HJKMNP-TV-Z]{25}/g;

const listItems = (json: unknown): readonly Resource[] => {
  if (Array.isArray(json)) return json;
  const { items, data } = (json ?? {}) as { items?: Resource[]; data?: Resource[] };
  return items ?? data ?? [];
};

/** Reads a resource by its row; undefined if no row reads its kind. */
export const readResource = async (get: Get, id: string): Promise<Resource | null | undefined> => {
  if (id.startsWith(`${ID_PREFIXES.organization}_`)) {
    const { status, json } = await get('/v1/organization');
    return status === 200 && json.id === id ? json : null;
  }
  const reader = READERS.get(id.split('_')[0] ?? '');
  if (reader === undefined) return undefined;
  const { status, json } = await get(reader.isListed ? reader.collection : `${reader.collection}/${id}`);
  if (status !== 200) return null;
  return reader.isListed ? (listItems(json).find((one) => one.id === id) ?? null) : json;
};

/** Reads every resource that a path names. The organization has no id in paths. */
export const readNamedResource = async (get: Get, path: string, organizationId: string): Promise<ResourcesById> => {
  const ids = [...new Set([...(path.match(ID) ?? []), ...(path.startsWith('/v1/organization') ? [organizationId] : [])])];
  const found: ResourcesById = new Map();
  for (const id of ids) {
    const resource = await readResource(get, id);
    if (resource !== undefined) found.set(id, resource);
  }
  return found;
};
