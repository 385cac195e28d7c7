import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { isPathParameter } from '@svc/contract/tables/path-parameters.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { listNamings, NAMING_MEMBERS, type Naming, type NamingMember } from './body-members.ts';
import { type CanaryOrganization, newOrganization } from './canary-organization.ts';
import { listNamingBodies } from './naming-bodies.ts';
import { listServedOperations, type Served } from './served.ts';

const MEMBERS_MIN = 70;
const NEVER = '7ZZZZZZZZZZZZZZZZZZZZZZZZZ';

let planes: Planes;
let mine: CanaryOrganization;
let theirs: CanaryOrganization;
let operations: ReadonlyMap<string, Served>;

before(async () => {
  planes = await leasePlanes();
  mine = await newOrganization(planes, `Plainword${Date.now()}`);
  theirs = await newOrganization(planes, `Canary${Date.now()}`);
  const { token } = mine.tenant;
  await newControlClient(planes.controlUrl, token).saveOnboardingStep({ params: { step: 'mode' }, body: { mode: 'ENFORCE' } });
  operations = new Map((await listServedOperations(planes)).map((each) => [each.name, each]));
});
after(() => planes.stop());

type Body = Record<string, unknown>;

/** Sets an id and its siblings at a pointer; creates objects and lists on the way. */
const withMember = (body: Body, pointer: string, value: unknown, beside: object): Body => {
  const [name = '', ...rest] = pointer.slice(1).split('/');
  if (rest.length === 0) return { ...body, ...beside, [name]: value };
  const [next = '', ...further] = rest;
  const isItem = next === '0';
  const inner = isItem ? {} : ((body[name] as Body | undefined) ?? {});
  const put = withMember(inner, `/${(isItem ? further : rest).join('/')}`, value, beside);
  return { ...body, [name]: isItem ? [{ ...NEXT_TO[name], ...put }] : { ...NEXT_TO[name], ...put } };
};

/** Other members that an object on the way requires. */
const NEXT_TO: Readonly<Record<string, Body>> = {
  role_mapping: { value: 'a group' },
  group_roles: { group: 'a group' },
  execution: { method: 'GET', url: 'https://service.example/' },
};

/** Bodies of mine that are accepted except for the member; the tenant sweep has those of any other operation. */
const BASES: Readonly<Record<string, () => Body>> = {
  login: () => ({ email: mine.tenant.email, password: mine.tenant.password }),
  verifyMfa: () => ({ mfa_challenge: 'x' }),
  createApiKey: () => ({ name: `Key ${newUlid()}`, role_id: getBuiltInRole('viewer').id }),
  saveOnboardingStep: () => ({}),
  act: () => ({ tool: mine.resources.toolId }),
  evaluateAction: () => ({ agent_id: mine.agent.id, tool: mine.resources.toolId }),
  updateTool: () => ({}),
  previewTool: () => ({}),
  createIntegration: () => ({ application: 'figma', environment_id: mine.tenant.environment_id, source: 'swept', actions: ['file.get'] }),
};

const getBase = ({ operation, pointer }: NamingMember): Body => {
  const base = BASES[operation]?.() ?? listNamingBodies(operation, mine)[0] ?? {};
  // The credential of an organization is for a tool of this name.
  // Only a connection over which a remote agent sends messages names an agent.
  const isInbound = operation === 'registerA2aConnection' && pointer === '/agent_id';
  if (isInbound) return { ...base, direction: 'INBOUND', agent_url: 'https://own.example/a2a' };
  const isCalled = operation === 'createTool' && pointer.startsWith('/execution');
  return isCalled ? { ...base, name: 'x', kind: 'HTTP', destination_allowlist: ['service.example'] } : base;
};

/** The tool that was created with a credential of mine. */
let calledTool = '';

const getPath = ({ path, name: operation }: Served): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'toolId' && (operation === 'updateTool' || operation === 'previewTool')) return calledTool;
    if (name === 'step') return 'connect';
    return isPathParameter(name) ? (mine.resources[name] ?? '') : '';
  });

const send = (member: NamingMember, naming: Naming, id: string): Promise<TestResponse> => {
  const served = operations.get(member.operation);
  if (!served) throw new Error(`${member.operation} is not served`);
  const body = withMember(getBase(member), member.pointer, member.isList ? [id] : id, naming.beside);
  const token = served.plane === 'gateway' ? mine.agentToken : mine.tenant.token;
  return call(served.base, served.method, getPath(served), { token, body });
};

/** Returns a response without what always differs. */
const plain = ({ status, text }: TestResponse, id: string): string =>
  `${status} ${text
    .replaceAll(id, 'ID')
    .replace(/\b(req|act|apr|evt)_[0-9A-HJKMNP-TV-Z]{26}/g, '$1')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/"trace_id":"[^"]*"/g, '')}`;

/** Operations that answer for each of many, or with a decision: a refusal is within a 200. */
const REFUSES_WITHIN: Readonly<Record<string, (json: TestResponse['json']) => boolean>> = {
  bulkChangeAgents: (json) => json.results[0].code === 'NOT_FOUND',
  previewBulkChange: (json) => json.agents[0].code === 'NOT_FOUND',
  applyToolImport: (json) => json.results[0].code === 'INVALID_CREDENTIAL_REFERENCE',
  evaluateAccess: (json) => json.decision === false && json.context.code === 'NOT_FOUND',
  searchAccessSubjects: (json) => json.results.length === 0,
  searchAccessResources: (json) => json.results.length === 0,
  searchAccessActions: (json) => json.results.length === 0,
  evaluateAction: (json) => json.decision === 'BLOCK' && ['DELEGATION_INVALID', 'APPROVAL_NOT_GRANTED'].includes(json.code),
};

/** True for a response that refuses the named resource in the contract's words. */
const isRefused = ({ operation }: NamingMember, { status, json }: TestResponse): boolean =>
  status === 200 ? (REFUSES_WITHIN[operation]?.(json) ?? false) : status >= 400 && status < 500 && typeof json?.error?.code === 'string';

/**
 * Operations that are not tried with an id of mine: they need a secret that was never created, leave me without access, need a tool that
 * changed at its server, or return nothing because no rule permits my agent anything.
 */
const NOT_TRIED_WITH_OWN = new Set([
  ...['verifyMfa', 'verifyPasskeySignIn', 'redeemCliSignIn', 'mintToken', 'handshake', 'issueOauthToken', 'transferOwnership'],
  ...['searchAccessSubjects', 'searchAccessResources', 'searchAccessActions'],
  'releaseMcpServer',
  // Only a credential that lists the tools of the integration is accepted.
  'createIntegration',
]);

test('a foreign id in a body is refused like an unknown one, and a malformed one is refused', async (context) => {
  const wrong: string[] = [];
  for (const member of NAMING_MEMBERS)
    for (const naming of listNamings(member)) {
      const what = `${member.operation} ${member.pointer} ${JSON.stringify(naming.beside)}`;
      const foreignId = naming.id(theirs) ?? '';
      const unknownId = `${foreignId.split('_')[0]}_${NEVER}`;
      const foreign = await send(member, naming, foreignId);
      const unknown = await send(member, naming, unknownId);
      const malformed = await send(member, naming, 'not an id');
      for (const [kind, answer] of Object.entries({ foreign, unknown, malformed }))
        if (!isRefused(member, answer)) wrong.push(`${what}: ${kind} answered ${answer.status} ${answer.text.slice(0, 200)}`);
      if (plain(foreign, foreignId) !== plain(unknown, unknownId))
        wrong.push(`${what}: ${plain(foreign, foreignId).slice(0, 300)}\n  differs from ${plain(unknown, unknownId).slice(0, 300)}`);
      if (NOT_TRIED_WITH_OWN.has(member.operation)) continue;
      const own = await send(member, naming, naming.id(mine) ?? '');
      if (member.operation === 'createTool' && own.status === 201) calledTool = own.json.id;
      if (plain(own, naming.id(mine) ?? '') === plain(foreign, foreignId))
        wrong.push(`${what}: own is answered as foreign: ${own.text.slice(0, 250)}`);
    }
  assert.deepEqual(wrong, []);
  assert.ok(NAMING_MEMBERS.length >= MEMBERS_MIN, `${NAMING_MEMBERS.length} members`);
  context.diagnostic(`${NAMING_MEMBERS.length} members of bodies`);
});
