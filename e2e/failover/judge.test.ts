import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Evidence, judge } from './judge.ts';

const DELIVERY = { path: 'failover', body: '', at: 0 };
const headers = (event: string, delivery: string, attempt: number) => ({
  'svc-event-id': event,
  'svc-delivery-id': delivery,
  'svc-delivery-attempt': String(attempt),
});
const ANSWER = {
  order: 'order-1',
  tool: 'ship',
  status: 200,
  code: null,
  action_id: 'act_1',
  decision: 'ALLOW',
  outcome: 'COMPLETED',
  approval_id: null,
};
const ACTION = {
  id: 'act_1',
  order: 'order-1',
  tool: 'ship',
  decision: 'ALLOW',
  status: 'COMPLETED',
  is_unsent: false,
  events: ['action.requested', 'action.allowed'],
};
const REFUSED = { ...ANSWER, order: 'order-2', status: 503, action_id: null, decision: null, outcome: null };

const KEPT: Evidence = {
  answers: [ANSWER, REFUSED],
  granted: ['apr_1'],
  actions: [ACTION],
  approvals: [{ id: 'apr_1', status: 'CONSUMED' }],
  eventIds: ['evt_1'],
  received: new Map([['order-1', 1]]),
  deliveries: [
    { ...DELIVERY, headers: headers('evt_1', 'whd_1', 1) },
    { ...DELIVERY, headers: headers('evt_1', 'whd_1', 2) },
  ],
};

const listBroken = (change: Partial<Evidence>): string[] =>
  judge({ ...KEPT, ...change }).flatMap(({ promise, broken }) => (broken.length > 0 ? [promise.replace(/^\d+ |;.*/g, '')] : []));

test('finds nothing in evidence that agrees', () => assert.deepEqual(listBroken({}), []));

const BREACHES: readonly (readonly [what: string, change: Partial<Evidence>, promise: string])[] = [
  ['a lost decision', { actions: [{ ...ACTION, id: 'act_2' }] }, 'answered decisions are recorded as answered'],
  ['another outcome', { actions: [{ ...ACTION, status: 'UNKNOWN' }] }, 'answered outcomes are recorded as answered'],
  ['a lost vote', { approvals: [{ id: 'apr_1', status: 'PENDING' }] }, 'answered votes are recorded'],
  [
    'an event twice',
    { actions: [{ ...ACTION, events: [...ACTION.events, 'action.allowed'] }] },
    'each recorded action has its events once',
  ],
  [
    'an action in execution',
    { actions: [ACTION, { ...ACTION, id: 'act_3', order: 'x', status: 'EXECUTING' }] },
    'no action is left in execution',
  ],
  ['a second call', { received: new Map([['order-1', 2]]) }, 'calls reached the tool once'],
  [
    'a call without a record',
    {
      received: new Map([
        ['order-1', 1],
        ['order-3', 1],
      ]),
    },
    'each call has one record',
  ],
  ['a call of which one record is unsent', { actions: [{ ...ACTION, is_unsent: true }] }, 'each call has one record'],
  ['a call with two records', { actions: [ACTION, { ...ACTION, id: 'act_4' }] }, 'each call has one record'],
  [
    'a call of a refused order',
    {
      received: new Map([
        ['order-1', 1],
        ['order-2', 1],
      ]),
    },
    'refused orders were not executed',
  ],
  ['a record of a call that the tool never received', { received: new Map() }, 'each record of an executed call has its call'],
  [
    'a record that nobody requested',
    { actions: [ACTION, { ...ACTION, id: 'act_5', order: 'order-9', tool: 'note' }] },
    'each record has its request',
  ],
  [
    'an answered call on record as not sent',
    { actions: [{ ...ACTION, status: 'COMPLETED', is_unsent: true }], received: new Map() },
    'orders with a call on record as not sent were not answered as executed',
  ],
  [
    'a refused order that is on record as allowed',
    { actions: [ACTION, { ...ACTION, id: 'act_6', order: 'order-2', tool: 'note' }] },
    'no refused order is on record as allowed',
  ],
  ['a lost delivery', { eventIds: ['evt_1', 'evt_2'] }, 'events arrived at the receiver'],
  ['a delivery of a lost event', { eventIds: [] }, 'only recorded events arrived'],
  [
    'a repeat under another id',
    { deliveries: [...KEPT.deliveries, { ...DELIVERY, headers: headers('evt_1', 'whd_2', 3) }] },
    'repeated deliveries have the id of the first',
  ],
];

for (const [what, change, promise] of BREACHES)
  test(`finds ${what}`, () => assert.ok(listBroken(change).includes(promise), listBroken(change).join()));
