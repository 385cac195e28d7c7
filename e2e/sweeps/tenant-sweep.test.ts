import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isPathParameter } from '@svc/contract/tables/path-parameters.ts';
import { mintToken } from '@svc/testing/agents/agent.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';
import { type CanaryOrganization, newOrganization } from './canary-organization.ts';
import { createUnknownNames, listNamesInQuery, withNeverIssued } from './foreign-names.ts';
import { listNamingBodies } from './naming-bodies.ts';
import { listServedOperations, runForEach, type Served } from './served.ts';
import { readTenant } from './tenant-rows.ts';

const CALLS_MIN = 880;
const WRONG_TOLD = 12;

let planes: Planes;
let db: pg.Client;
let mine: CanaryOrganization;
let theirs: CanaryOrganization;
/** Names of their resources with replacements that were never issued. */
let never: ReadonlyMap<string, string>;

before(async () => {
  planes = await leasePlanes();
  db = await planes.database.client();
  mine = await newOrganization(planes, `Plainword${Date.now()}`);
  theirs = await newOrganization(planes, `Canary${Date.now()}`);
  never = createUnknownNames(theirs);
});
after(async () => {
  await db.end();
  await planes.stop();
});

type Asked = { readonly path: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | undefined };

const getPath = ({ path }: Served, of: (name: string) => CanaryOrganization): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = isPathParameter(name) ? of(name).resources[name] : undefined;
    if (id === undefined) throw new Error(`the path parameter ${name} of ${path} has no fixture`);
    return id;
  });

/**
 * The outbox shows every mail to a user at this machine, and to no one else; single sign-on begins without a session and names the
 * connection.
 */
const OF_NO_TENANT = new Set([
  'getOutboxPage',
  'startSso',
  'ssoCallback',
  'ssoCallbackOf',
  'finishSamlSignIn',
  'getSamlMetadata',
  'finishConnection',
  'receiveSamlResponse',
]);

/** Rows that take a secret or an unused value: they name nothing, and get an invalid body. */
const NAMES_NOTHING = new Set([
  ...['signup', 'checkSignup', 'startSignup', 'verifySignup', 'resetPassword', 'login', 'stepUp'],
  // A directory states only its own data about people; any other caller is refused.
  ...['createScimUser', 'replaceScimUser', 'patchScimUser'],
]);

/** Operations that succeed once on the agent's own resource: with an ignored header only the second response differs. */
const ONCE_OF_ITS_OWN = new Set(['cancelOwnApproval']);

const listBodies = ({ name, hasBody }: Served, of: CanaryOrganization): (string | undefined)[] => {
  // A file is not JSON, and its references are in the query.
  if (!hasBody || name === 'uploadToolImport') return [undefined];
  return NAMES_NOTHING.has(name) ? ['{"bogus":1}'] : listNamingBodies(name, of).map((body) => JSON.stringify(body));
};

const namesTheirs = (text: string): boolean => withNeverIssued(text, never) !== text;

/** Returns every way in which a request of mine can name their resources. */
const waysOf = (served: Served): Asked[] => {
  const parameters = [...served.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const path = getPath(served, () => mine);
  const [body] = listBodies(served, mine);
  const named = parameters.map((one) => ({ path: getPath(served, (name) => (name === one ? theirs : mine)), body }));
  const whole = parameters.length > 1 ? [{ path: getPath(served, () => theirs), body }] : [];
  const bodies = listBodies(served, theirs).filter((each) => each !== undefined && namesTheirs(each));
  const inBody = bodies.map((each) => ({ path, body: each }));
  // One key is one operation: it is used with one of several bodies.
  const keyed = served.takesKey
    ? inBody.slice(0, 1).map((each) => ({ ...each, headers: { 'idempotency-key': theirs.idempotencyKey } }))
    : [];
  const inQuery = served.query.flatMap(({ name }) =>
    listNamesInQuery(name, theirs, served.path).map((value) => ({ path: `${path}?${name}=${encodeURIComponent(value)}`, body })),
  );
  const scopes = { 'x-svc-workspace': theirs.tenant.workspace_id, 'x-svc-environment': theirs.tenant.environment_id };
  const ownScopes = { 'x-svc-workspace': mine.tenant.workspace_id, 'x-svc-environment': mine.tenant.environment_id };
  const inScope = Object.entries(ONCE_OF_ITS_OWN.has(served.name) ? {} : scopes).flatMap(([header, id]) => [
    { path, body, headers: { [header]: id } },
    // With one of mine in the path; reads only, since unauthenticated requests are limited.
    ...(served.method === 'GET' ? [{ path, body, headers: { ...ownScopes, [header]: id } }] : []),
  ]);
  const naming = [...named, ...whole, ...inBody, ...keyed, ...inQuery, ...inScope].filter((asked) =>
    namesTheirs(decodeURIComponent(JSON.stringify(asked))),
  );
  // A read that names nothing must not show anything of theirs either.
  return served.method === 'GET' ? [{ path }, ...naming] : naming;
};

/** A caller that ends its own session needs another one for each request. */
const tokenFor = async ({ name }: Served, token: string): Promise<string> =>
  name === 'endAgentSession' && token === mine.agentToken ? mintToken(planes.gatewayUrl, mine.agent) : token;

const once = async (served: Served, { path, headers, body }: Asked, token: string): Promise<TestResponse> =>
  call(served.base, served.method, path, {
    token: await tokenFor(served, token),
    ...(headers ? { headers } : {}),
    ...(body === undefined ? {} : { raw: body }),
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json', ...headers } }),
  });

/** On a busy machine a request may get no slot in time; this says nothing about its target, so it is repeated. */
const send = async (served: Served, asked: Asked, token: string, triesLeft = 5): Promise<TestResponse> => {
  // The number of pending terminal sign-ins per address is limited; those of the sweep make way.
  if (served.name === 'startCliSignIn')
    await db.query('delete from cli_requests where id not in ($1, $2)', [mine.resources.requestId, theirs.resources.requestId]);
  const answer = await once(served, asked, token);
  const isTurnedAway = answer.status === 503 && answer.json?.error !== undefined;
  return isTurnedAway && triesLeft > 1 ? send(served, asked, token, triesLeft - 1) : answer;
};

const OWN_HEADERS = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'x-request-id',
  'x-trace-id',
  'ratelimit-remaining',
  'ratelimit-reset',
]);

/** Returns a response without what always differs: ids of requests and of new events, times, and counts of the growing record. */
const comparable = ({ status, headers, text }: TestResponse): string => {
  const plain = text
    .replace(/\b(req|act|apr|evt|ses|cli)_[0-9A-HJKMNP-TV-Z]{26}/g, '$1')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/"(token|trace_id|fresh_until|challenge|user_code|verification_uri)":"[^"]*"/g, '"$1":""')
    .replace(/"(expires_in|uptime_seconds|counted|fulfilled)":\d+/g, '"$1":0');
  const told = [...headers].filter(([name]) => !OWN_HEADERS.has(name)).sort();
  return `${status} ${JSON.stringify(told)} ${plain}`;
};

/** Returns canaries in a response that the request did not name itself. */
const canariesIn = (answer: TestResponse, asked: Asked): string[] => {
  const said = decodeURIComponent(JSON.stringify(asked));
  const shown = `${answer.text} ${JSON.stringify([...answer.headers])}`;
  return [...never.keys()].filter((canary) => shown.includes(canary) && !said.includes(canary));
};

const asNeverIssued = (asked: Asked): Asked => {
  const [path, query] = asked.path.split('?') as [string, string | undefined];
  const replaced = withNeverIssued(JSON.stringify({ ...asked, path }), never);
  const { path: other, ...rest } = JSON.parse(replaced) as Asked;
  return { ...rest, path: query === undefined ? other : `${other}?${encodeURI(withNeverIssued(decodeURIComponent(query), never))}` };
};

const isDirectorys = ({ path }: Served): boolean => path.startsWith('/scim/');

/** Its token is invalid elsewhere. It has no workspaces, so scope headers have no effect, and what it deletes of its own is gone. */
const isForDirectory = (served: Served, { path, body }: Asked): boolean =>
  isDirectorys(served) && (served.method === 'GET' || namesTheirs(`${path} ${body}`));

/** Returns the text around the first difference. */
const fromDifference = (text: string, other: string): string => {
  const at = [...text].findIndex((character, index) => character !== other[index]);
  return text.slice(Math.max(0, at - 300), Math.max(0, at) + 300);
};

test('nothing of another organization is shown, changed or distinguished from unknown objects, for any caller and form of id', async (context) => {
  const before = await readTenant(db, theirs.tenant.organization_id);
  const wrong: string[] = [];
  let asked = 0;
  const credentials = { session: mine.tenant.token, key: mine.key, agent: mine.agentToken, directory: mine.scim };
  const operations = (await listServedOperations(planes)).filter(({ name }) => !OF_NO_TENANT.has(name));
  assert.ok(operations.length > 80);
  const questions = operations.flatMap((served) =>
    waysOf(served).flatMap((way, index) =>
      Object.entries(credentials)
        // A credential of the other plane is always invalid.
        .filter(([who]) => index === 0 || (who === 'agent') === (served.plane === 'gateway'))
        .filter(([who]) => who !== 'directory' || isForDirectory(served, way))
        .map(([who, token]) => ({ served, way, who, token })),
    ),
  );
  await runForEach(questions, async ({ served, way, who, token }) => {
    const foreign = await send(served, way, token);
    const unknown = await send(served, asNeverIssued(way), token);
    asked += 2;
    const what = `${served.name} by ${who}: ${JSON.stringify(way).slice(0, 300)}`;
    const shown = canariesIn(foreign, way);
    if (shown.length > 0) wrong.push(`${what} shows ${shown.join(' ')}`);
    const [one, other] = [withNeverIssued(comparable(foreign), never), comparable(unknown)];
    if (one !== other) wrong.push(`${what} differs:\n  ${fromDifference(one, other)}\n  ${fromDifference(other, one)}`);
  });
  assert.deepEqual(wrong.slice(0, WRONG_TOLD), [], `${wrong.length} in all`);
  assert.deepEqual(await readTenant(db, theirs.tenant.organization_id), before);
  assert.ok(asked >= CALLS_MIN, `${asked} requests`);
  context.diagnostic(`${asked} requests to ${operations.length} operations`);
});

test('a caller who knows an idempotency key of another organization gets their own response', async () => {
  for (const [path, body] of [
    ['/v1/workspaces', { name: `${theirs.word} workspace` }],
    ['/v1/environments', { workspace_id: theirs.tenant.workspace_id, name: `${theirs.word} environment`, type: 'STAGING' }],
  ] as const) {
    const headers = { 'idempotency-key': theirs.idempotencyKey };
    for (const token of [mine.tenant.token, mine.key]) {
      const { text } = await call(planes.controlUrl, 'POST', path, { token, body, headers });
      const ids = [...never.keys()].filter((name) => /^[a-z]+_/.test(name) && !JSON.stringify(body).includes(name));
      assert.deepEqual(
        ids.filter((id) => text.includes(id)),
        [],
        text,
      );
    }
  }
});
