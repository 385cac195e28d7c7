import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AuditSubject } from '@svc/contract/audit-subjects.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { call } from '@svc/testing/people/client.ts';
import { isChanging, type Play } from '../../nouns/scene/play.ts';
import { readResource } from '../../nouns/scene/reads.ts';
import { type NounScene, newScene } from '../../nouns/scene/scene.ts';
import { EVERY_ROW } from '../setting.ts';
import { assertEventValues } from './event-values.ts';
import { findScope, getActorName, getPlaceOfSubject } from './places.ts';
import { EACH_RECIPE, RECIPES } from './recipes.ts';

let scene: NounScene;
before(async () => {
  scene = await newScene();
});
after(() => scene.stop());

type Row = {
  readonly type: string;
  readonly subject_type: AuditSubject;
  readonly subject_id: string;
  readonly actor_type: string;
  readonly actor_id: string;
  readonly actor_name: string | null;
  readonly organization_id: string;
  readonly trace_id: string;
  readonly data: { readonly before?: { readonly name?: string }; readonly after?: unknown };
  readonly workspace_id: string | null;
  readonly environment_id: string | null;
};

/** Returns every audit event of a request, in any organization. */
const readEvents = async ({ answer }: Play): Promise<Row[]> =>
  (await scene.database.query<Row>('select * from audit_events where request_id = $1 order by id', [answer.headers.get('x-request-id')]))
    .rows;

/** Compares events with what the reading rows returned before and after the request. */
const assertValues = async ({ answer }: Play, found: readonly Row[], what: string): Promise<void> => {
  const { tenant, reads } = scene;
  const get = (path: string) => call(tenant.controlUrl, 'GET', path, { token: tenant.token });
  const { before, after } = reads.get(answer.headers.get('x-request-id') ?? '') ?? { before: new Map(), after: new Map() };
  const ids = new Set([
    ...before.keys(),
    ...found.flatMap((event) => (event.organization_id === tenant.organization_id ? [event.subject_id] : [])),
  ]);
  for (const id of ids) {
    const about = found.filter(({ subject_id }) => subject_id === id);
    const read = { before: before.get(id), after: after.has(id) ? after.get(id) : await readResource(get, id) };
    // An event that only mentions a resource, such as an agent that a tool is authorized for, is about something else.
    if (about.length > 0 || answer.status >= 300) assertEventValues(about, read, what, found);
  }
};

const assertTold = async (operation: string, play: Play): Promise<void> => {
  const found = await readEvents(play);
  const what = `${operation} answered ${play.answer.status} ${play.answer.text.slice(0, 300)}`;
  assert.deepEqual(
    found.map((event, index) => [event.type, event.subject_type, play.events[index]?.[2] === '*' ? '*' : event.subject_id]),
    play.events.map((told) => [...told]),
    what,
  );
  const by = play.by ?? { type: 'USER', id: scene.tenant.user.id };
  await assertValues(play, found, what);
  for (const event of found) {
    assert.equal(event.actor_name, await getActorName(scene.database, event), `${event.type}: ${what}`);
    assert.deepEqual(findScope(event), (await getPlaceOfSubject(scene.database, event)) ?? findScope(event), `${event.type}: ${what}`);
    assert.deepEqual([event.actor_type, event.actor_id], [by.type, by.id], `${event.type}: ${what}`);
    assert.ok(event.environment_id === null || event.workspace_id !== null, `${event.type} names no workspace: ${what}`);
    assert.equal(event.trace_id, play.answer.headers.get('x-trace-id'), what);
    assert.ok(!JSON.stringify(event.data).includes('[masked]'), `${event.type} masks what is no secret: ${JSON.stringify(event.data)}`);
  }
};

describe('an operation that changes something leaves exactly the events that its row declares', () => {
  const changing = new Map<string, Endpoint>(EVERY_ROW.filter(([, row]) => isChanging(row)));

  for (const [name, recipe] of EACH_RECIPE) {
    test(name, async () => {
      const plays = await recipe(scene);
      for (const play of plays) await assertTold(name, play);
      const told = new Set(plays.flatMap(({ events }) => events.map(([type]) => type)));
      assert.deepEqual([...told].toSorted(), changing.get(name)?.emits.toSorted());
    });
  }

  test('each of them is tested', () => {
    assert.deepEqual(Object.keys(RECIPES).toSorted(), [...changing.keys()].toSorted());
  });

  test('rows that only read, and rows that never write, declare none', () => {
    // The return from a provider is a GET by its protocol; tests next to its operation show that it is taken once.
    const returns = ['ssoCallback', 'ssoCallbackOf', 'finishSamlSignIn', 'finishConnection'];
    for (const [name, row] of EVERY_ROW) if (!isChanging(row) && !returns.includes(name)) assert.deepEqual(row.emits, [], name);
  });
});

test('a tool that is changed during a call leaves that call and its record unchanged, and sends the next one elsewhere', async () => {
  const { ask, make, downstream, places, database } = scene;
  const { token, environment_id } = places.ENFORCE;
  const { rows } = await database.query("select id from tools where environment_id = $1 and name = 'ships'", [environment_id]);
  const declare = (manner: 'answers' | 'rejects') =>
    make('PATCH', `/v1/tools/${rows[0].id}`, { execution: { method: 'POST', url: downstream.url(manner), body: { order: '{order}' } } });
  await declare('answers');
  const ship = (order: string) => ask(token, 'POST', '/gateway/v1/actions', { tool: 'ships', parameters: { order } });
  downstream.before(() => declare('rejects'));
  const begun = await ship('begun before');
  downstream.before(() => Promise.resolve());
  assert.deepEqual([begun.status, begun.json.status, downstream.received.get('begun before')], [200, 'COMPLETED', 1], begun.text);
  const next = await ship('begun after');
  assert.deepEqual([next.status, next.json.error?.code, downstream.received.get('begun after')], [502, 'EXECUTION_FAILED', 1], next.text);
  const told = await database.query('select type from audit_events where subject_id = $1 order by id', [begun.json.action_id]);
  assert.deepEqual(
    told.rows.map(({ type }) => type),
    ['action.requested', 'action.allowed', 'action.completed'],
  );
});
