import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { buildCredentialBody } from '@svc/catalogue/credential-body.ts';
import { serviceActions } from '@svc/catalogue/describe-application.ts';
import { exampleValues } from '@svc/catalogue/example-values.fixture.ts';
import { fillText, fillValues } from '@svc/catalogue/fill-values.ts';
import { proposeApplication } from '@svc/catalogue/propose-application.ts';
import { readApplications } from '@svc/catalogue/read-applications.ts';
import type { CatalogueEntry, CatalogueParameter, ServiceAction } from '@svc/contract/tools/catalogue-entry.ts';
import { parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import { isFaults } from '@svc/domain/tools/fault.ts';
import { buildExecutionRequest } from '@svc/domain/tools/request/execution-request.ts';
import { parseExecution } from '@svc/domain/tools/request/parse-execution.ts';
import { isNotProposed } from '@svc/domain/tools/tool-imports/draft/proposal.ts';
import { proveRequest } from '@svc/egress/requests/prove-request.ts';

type Recorded = { readonly method: string; readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

let recorded: Recorded | undefined;
const recorder = createServer((incoming, answer) => {
  const pieces: Buffer[] = [];
  incoming.on('data', (piece: Buffer) => pieces.push(piece));
  incoming.on('end', () => {
    const { method = '', url: path = '', headers } = incoming;
    recorded = { method, path, headers, body: Buffer.concat(pieces).toString('utf8') };
    answer.end('{}');
  });
});
before(() => new Promise<void>((done) => void recorder.listen(0, '127.0.0.1', done)));
after(() => recorder.close());

/** Sends a request unchanged to the recorder instead of its host. */
const send = (url: URL, method: string, headers: Readonly<Record<string, string>>, body: string | undefined): Promise<Recorded> =>
  new Promise((resolve, reject) => {
    const { port } = recorder.address() as AddressInfo;
    const outgoing = request({ host: '127.0.0.1', port, path: url.pathname + url.search, method, headers: { ...headers, host: url.host } });
    outgoing.on('error', reject);
    outgoing.on('response', (answer) => {
      answer.resume();
      answer.on('end', () => (recorded ? resolve(recorded) : reject(new Error('nothing was recorded'))));
    });
    outgoing.end(body);
  });

const DATES: Readonly<Record<string, string>> = {
  date: '2026-01-02',
  'date-time': '2026-01-02T03:04:05Z',
  email: 'a+b@service.example',
  uri: 'https://service.example/x?y=1',
  uuid: '00000000-0000-4000-8000-000000000000',
};

const madeUp = ({ name, type, items, enum: words, format, minimum }: CatalogueParameter): unknown => {
  if (words !== undefined) return words[0];
  if (type === 'string') return format === undefined ? `${name} ä/&?=#{x}` : DATES[format];
  if (type === 'integer' || type === 'number') return Math.max(minimum ?? 1, 1);
  if (type === 'boolean') return true;
  if (type === 'object') return { of: name };
  return [items === 'integer' ? 1 : items === 'object' ? { of: name } : items === 'array' ? ['x'] : `${name} 1`];
};

const wholeName = /^\{([A-Za-z0-9_]+)\}$/;

/** Fills a template of the entry, implemented again here so that it can disagree with the service. */
const expected = (template: unknown, given: Readonly<Record<string, unknown>>): unknown => {
  if (typeof template === 'string') {
    const [, name] = wholeName.exec(template) ?? [];
    return name === undefined ? template : given[name];
  }
  if (Array.isArray(template)) return template.map((each) => expected(each, given)).filter((each) => each !== undefined);
  if (typeof template !== 'object' || template === null) return template;
  const members = Object.entries(template).map(([name, each]) => [name, expected(each, given)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
};

const among = (action: ServiceAction, position: string, given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    action.parameters
      .filter((each) => each.in === position && given[each.name] !== undefined)
      .map(({ name, sent_as }) => [sent_as ?? name, given[name]]),
  );

const secretNamed = (name: string) => `secret-of-${name.replaceAll('_', '-')}`;

const listSecrets = ({ enter }: CatalogueEntry) =>
  enter.filter(({ secret }) => secret).map(({ name }) => ({ name, secret: secretNamed(name) }));

/** Returns the position of each secret, from the entry alone. */
const placedSecrets = (entry: CatalogueEntry, filled: Readonly<Record<string, string>>) => {
  const { credential } = entry;
  assert.ok(credential);
  const { scheme, placement, extras = [], secret: name = 'access_token' } = credential;
  const secret = secretNamed(name);
  const first =
    scheme === 'BEARER'
      ? ['HEADER', 'authorization', `Bearer ${secret}`]
      : scheme === 'HEADER'
        ? [
            'HEADER',
            placement.header ?? '',
            placement.template?.replace('{secret}', secret) ?? (placement.prefix === undefined ? secret : `${placement.prefix} ${secret}`),
          ]
        : scheme === 'BASIC'
          ? [
              'HEADER',
              'authorization',
              `Basic ${Buffer.from(`${fillText(placement.username ?? '', filled)}:${secret}`).toString('base64')}`,
            ]
          : scheme === 'QUERY'
            ? ['QUERY', placement.parameter ?? '', secret]
            : ['BODY_FIELD', placement.field ?? '', secret];
  return [first, ...extras.map((extra) => [extra.in, extra.name, secretNamed(extra.secret)])] as [string, string, string][];
};

const getPath = (entry: CatalogueEntry, action: ServiceAction, filled: Readonly<Record<string, string>>, given: Record<string, unknown>) =>
  new URL(fillText(entry.api?.base_url ?? '', filled)).pathname.replace(/\/$/, '') +
  fillText(action.path, filled).replace(/\{([A-Za-z0-9_]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given[name])).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
  );

const buildQuery = (path: string): [string, string][] => [...new URL(path, 'http://recorder').searchParams];

const listPairs = (members: Record<string, unknown>): [string, string][] =>
  Object.entries(members).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)] as [string, string]));

const sorted = (pairs: readonly [string, string][]): string[] => pairs.map((pair) => pair.join('=')).sort();

/** Calls an action through the code that makes calls of tools, and compares what arrives with the entry. */
const check = async (entry: CatalogueEntry, action: ServiceAction, isWhole: boolean): Promise<string> => {
  const filled = fillValues(entry, { values: exampleValues(entry) });
  assert.ok(!isFaults(filled) && entry.credential);
  const proposed = proposeApplication(entry, filled, entry.key).find(({ key }) => key === action.key);
  assert.ok(proposed && !isNotProposed(proposed));
  const given = Object.fromEntries(
    action.parameters.filter(({ required }) => isWhole || required).map((parameter) => [parameter.name, madeUp(parameter)]),
  );
  const execution = parseExecution(proposed.declaration.execution);
  assert.ok(!isFaults(execution));
  const built = buildExecutionRequest(execution, given);
  assert.ok(!isFaults(built), JSON.stringify(built));
  const { scheme, placement, extras = [] } = buildCredentialBody(entry.credential, filled, listSecrets(entry));
  const name = entry.credential.secret ?? 'access_token';
  const destinations = proposed.declaration.destination_allowlist.map(parseAllowlistEntry);
  const proved = proveRequest(
    {
      ...built,
      credential: {
        scheme,
        placement,
        extras: extras.map(({ in: position, name: item }) => ({ in: position, name: item })),
        destinations: destinations.flatMap((each) => ('fault' in each ? [] : [each])),
        open: () => ({ secret: secretNamed(name), extras: extras.map(({ secret }) => secret), hidden: [] }),
      },
    } as unknown as Parameters<typeof proveRequest>[0],
    new URL(built.url),
  );
  assert.ok('url' in proved, JSON.stringify(proved));
  recorded = undefined;
  const { method, path, headers, body } = await send(proved.url, proved.request.method, proved.request.headers, proved.request.body);
  const secrets = placedSecrets(entry, filled);
  const at = (position: string) => Object.fromEntries(secrets.filter(([each]) => each === position).map(([, item, text]) => [item, text]));
  assert.equal(method, action.method);
  assert.equal(proved.url.protocol, 'https:');
  assert.equal(new URL(path, 'http://recorder').pathname, getPath(entry, action, filled, given));
  const fixed = (position: string) =>
    Object.fromEntries(entry.extra_items.filter((each) => each.in === position).map((each) => [each.name, fillText(each.value, filled)]));
  assert.deepEqual(sorted(buildQuery(path)), sorted(listPairs({ ...fixed('QUERY'), ...among(action, 'query', given), ...at('QUERY') })));
  const wantedHeaders = { ...fixed('HEADER'), ...among(action, 'header', given), ...at('HEADER') };
  for (const [header, text] of Object.entries(wantedHeaders)) assert.equal(headers[header.toLowerCase()], text);
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
  const graphql = action.graphql && { query: action.graphql.query, variables: expected(action.graphql.variables, given) };
  const members = graphql ?? expected(action.body, given) ?? among(action, 'body', given);
  if (!hasBody) assert.equal(body, '');
  else if (action.body_format === 'form') {
    assert.equal(headers['content-type'], 'application/x-www-form-urlencoded');
    assert.deepEqual(sorted([...new URLSearchParams(body)]), sorted(listPairs({ ...(members as object), ...at('BODY_FIELD') })));
  } else {
    assert.equal(headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(body), { ...(members as object), ...at('BODY_FIELD') });
  }
  const sent = `${path}\n${JSON.stringify(headers)}\n${body}`;
  for (const [position, , text] of secrets) {
    const secret = position === 'HEADER' && text.startsWith('Basic ') ? text : text.slice(text.lastIndexOf('secret-of-'));
    assert.equal(sent.split(secret).length - 1, 1, `${secret} is sent once`);
  }
  return sent;
};

const described = [...readApplications().values()].filter((entry) => serviceActions(entry).length > 0);

for (const entry of described)
  test(`${entry.key}: every action arrives with its method, path, key and body`, async () => {
    for (const action of serviceActions(entry))
      for (const isWhole of [true, false])
        await check(entry, action, isWhole).catch((error: unknown) => {
          throw new Error(`${entry.key} ${action.key}`, { cause: error });
        });
  });

test('the comparison fails for another path, another placement of the key and a missing member of the body', async () => {
  const entry = readApplications().get('sendgrid');
  const action = entry && serviceActions(entry).find(({ key }) => key === 'mail.send');
  assert.ok(entry?.credential && action);
  const sent = await check(entry, action, true);
  assert.ok(sent.includes('personalizations'));
  const body = action.body as Record<string, unknown>;
  const without = { ...action, body: { ...body, subject: undefined } };
  await assert.rejects(check(entry, without, true));
  await assert.rejects(check(entry, { ...action, path: '/mail/sent' }, true));
  const basic = { ...entry, credential: { ...entry.credential, scheme: 'BASIC' as const, placement: { username: 'x' }, secret: 'other' } };
  await assert.rejects(check(basic, action, true).then((text) => assert.ok(text.includes('Bearer'))));
});
