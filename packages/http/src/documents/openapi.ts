import { CONDITIONAL_STEP_UPS } from '@svc/contract/conditional-step-ups.ts';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { type Endpoint, getAutomationRule, listCommonRefusals, listPermissions, stepUpOfRow } from '@svc/contract/rows/endpoint.ts';
import type { WireName } from '@svc/contract/rows/wire-name.ts';
import { ERRORS, type ErrorCode } from '@svc/contract/tables/errors.ts';
import { ID_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isPathParameter, listParameterNames, PATH_PARAMETERS } from '@svc/contract/tables/path-parameters.ts';
import { PRODUCT_NAME } from '@svc/contract/tables/product.ts';
import { HEADERS } from '@svc/contract/tables/wire-name.ts';
import type { WireResponse } from '../wires/wire.ts';
import { WIRES } from '../wires/wires.ts';
import { newSchemaNames, type SchemaNames } from './openapi-schemas.ts';
import { API_VERSION } from './version.ts';

const describeParameter = (name: string): string | undefined => {
  if (!isPathParameter(name)) return undefined;
  const { id, noun } = PATH_PARAMETERS[name];
  return id === null ? `Name of the ${noun}.` : `Id of the ${noun} (${ID_PREFIXES[id]}_).`;
};

const pathParameters = (row: Endpoint) =>
  listParameterNames(row.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: describeParameter(name),
    schema: { type: 'string' },
  }));

/** `x-permission` is set if one permission suffices, `x-permissions` if any is required: all of them must be held. */
const permissionMembers = (row: Endpoint) => {
  const permissions = listPermissions(row);
  if (permissions.length === 0) return {};
  return { ...(permissions.length === 1 ? { 'x-permission': permissions[0] } : {}), 'x-permissions': permissions };
};

const queryParameters = (row: Endpoint) => {
  const schema = row.query as { properties?: Record<string, object>; required?: string[] } | undefined;
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: 'query',
    required: schema?.required?.includes(name) ?? false,
    schema: property,
  }));
};

const headerParameters = (row: Endpoint) =>
  row.idempotent ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } }] : [];

const LINK = {
  description: 'Link to the next page, with rel="next"; absent on the last page.',
  schema: { type: 'string' },
};
const TOTAL_COUNT = {
  description: `Number of items: exact up to ${LIMITS.pages.countedMax}, and one more than that if there are more.`,
  schema: { type: 'integer' },
};

/** Describes the headers that state what a list contains beyond the returned part. */
const listHeaders = (row: Endpoint) => {
  const properties = (row.query as { properties?: object } | undefined)?.properties ?? {};
  if ('offset' in properties) return { headers: { Link: LINK, [HEADERS.totalCount]: TOTAL_COUNT } };
  return 'cursor' in properties ? { headers: { Link: LINK } } : {};
};

/** Returns the name of a wire's error schema; wires with JSON errors have none of their own. */
const getErrorName = (wire: WireName): string =>
  WIRES[wire].refuse === WIRES.json.refuse || wire === 'page' || wire === 'posted-page'
    ? 'Error'
    : `${wire.charAt(0).toUpperCase()}${wire.slice(1)}Error`;

const listErrorSchemas = (rows: readonly Endpoint[]) =>
  Object.fromEntries(rows.map((row) => [getErrorName(row.wire), WIRES[row.wire].told(row).errorSchema]));

const errorResponses = (codes: readonly ErrorCode[], wire: WireName, { error }: WireResponse) => {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      { description: group.join(', '), content: { [error]: { schema: { $ref: `#/components/schemas/${getErrorName(wire)}` } } } },
    ]),
  );
};

const getBody = (row: Endpoint, refer: SchemaNames['refer']) => ({
  schema: refer(row.body),
  ...(row.example === undefined ? {} : { example: row.example }),
});

const stepUpWhen: Readonly<Record<string, string>> = CONDITIONAL_STEP_UPS;

const CALLERS: Readonly<Record<Endpoint['credential'], string>> = {
  none: 'Needs no credential.',
  person: 'For a session of a person.',
  caller: 'For a session of a person or an API key.',
  agent: 'For an access token of an agent.',
  directory: 'For a SCIM token.',
};

const STEP_UPS = {
  true: 'Requires a step-up.',
  when_reducing: 'Requires a step-up if it lowers enforcement.',
  may: 'Requires a step-up for some requests.',
} as const;

/** Describes when a request needs a step-up if not always, and the rule for API keys. */
const automationMembers = (operationId: string, row: Endpoint) => {
  const rule = getAutomationRule(row);
  return {
    ...(stepUpWhen[operationId] === undefined ? {} : { 'x-step-up-when': stepUpWhen[operationId] }),
    ...(rule === undefined ? {} : { 'x-automation': rule }),
  };
};

/** Returns the summary of a row, followed by its callers, requirements and audit events. */
const describeOperation = (row: Endpoint): string => {
  const permissions = listPermissions(row);
  const stepUp = stepUpOfRow(row);
  return [
    row.summary,
    CALLERS[row.credential],
    ...(permissions.length === 0 ? [] : [`Required permission: ${permissions.map((each) => `\`${each}\``).join(', ')}.`]),
    ...(stepUp === undefined ? [] : [STEP_UPS[`${stepUp}`]]),
    ...(row.idempotent ? ['Accepts `Idempotency-Key`.'] : []),
    ...(row.writesNothing === 'always' ? ['Changes nothing.'] : []),
    ...(row.emits.length === 0 ? [] : [`Audit events: ${row.emits.map((each) => `\`${each}\``).join(', ')}.`]),
  ].join(' ');
};

const LOCATION = { description: 'Address to continue at.', schema: { type: 'string' } };

/** Describes the response in each of its media types. JSON of a page is an object. */
const describeContent = (row: Endpoint, media: string, { refer }: SchemaNames) => {
  const describe = (each: string) => (row.media && each === 'application/json' ? { type: 'object' } : refer(row.result));
  return Object.fromEntries((row.media ?? [media]).map((each) => [each, { schema: describe(each) }]));
};

const successResponses = (row: Endpoint, media: string, names: SchemaNames) => {
  const content = describeContent(row, media, names);
  const redirect = row.redirects === undefined ? {} : { 303: { description: row.redirects, headers: { Location: LOCATION } } };
  if (row.redirects !== undefined && row.media?.length === 0) return redirect;
  return { [String(row.status ?? 200)]: { description: 'Done.', ...listHeaders(row), content }, ...redirect };
};

const getOperation = (operationId: string, row: Endpoint, names: SchemaNames) => {
  const { refer } = names;
  const refuses = [...new Set([...row.refuses, ...listCommonRefusals(row)])];
  const stepUp = stepUpOfRow(row);
  const told = WIRES[row.wire].told(row);
  return {
    operationId,
    summary: row.summary,
    description: describeOperation(row),
    tags: [row.area],
    ...permissionMembers(row),
    ...(row.mayNeed ? { 'x-may-need': row.mayNeed } : {}),
    'x-step-up': stepUp ?? false,
    ...automationMembers(operationId, row),
    'x-idempotent': row.idempotent ?? false,
    'x-emits': row.emits,
    'x-refuses': refuses,
    parameters: [...pathParameters(row), ...queryParameters(row), ...headerParameters(row)],
    ...(WIRES[row.wire].isUnread ? { requestBody: { required: true, content: { [told.body]: { schema: {} } } } } : {}),
    ...(row.body ? { requestBody: { required: !row.bodyOptional, content: { [told.body]: getBody(row, refer) } } } : {}),
    responses: {
      ...successResponses(row, told.answer, names),
      ...errorResponses(refuses, row.wire, told),
    },
    security: row.credential === 'none' ? [] : [{ bearer: [] }],
  };
};

/** Builds the OpenAPI 3.1 document of one plane from the rows only. */
export const buildOpenApi = (plane: Endpoint['plane']) => {
  const rows = (Object.entries(ENDPOINTS) as [string, Endpoint][]).filter(([, row]) => row.plane === plane);
  const paths: Record<string, Record<string, unknown>> = {};
  const names = newSchemaNames();
  for (const [name, row] of rows) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: getOperation(name, row, names) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${PRODUCT_NAME}: ${plane === 'control' ? 'control plane' : 'gateway'}`,
      version: API_VERSION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This plane.' }],
    tags: [...new Set(rows.map(([, { area }]) => area))].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...listErrorSchemas(rows.map(([, row]) => row)), ...names.components() },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
};
