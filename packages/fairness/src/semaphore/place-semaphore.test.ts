import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Full, newPlaceSemaphore, type Ticket } from './place-semaphore.ts';

const BOUNDS = { decidingMax: 8, callingMax: 8, waitingMax: 50, waitingPerOrganizationMax: 40, waitMs: 10_000 };

const places = (bounds: Partial<typeof BOUNDS> = {}) => {
  const semaphore = newPlaceSemaphore({ ...BOUNDS, ...bounds });
  const enter = (holder: string) => semaphore.enter(holder);
  const fill = (holder: string, count: number) => Array.from({ length: count }, () => enter(holder));
  return { enter, fill };
};

const isTicket = (entered: unknown): entered is Ticket => typeof entered === 'object' && !(entered instanceof Promise);
const getTicket = (entered: Ticket | Full | Promise<Ticket | Full> | undefined): Ticket => {
  assert.ok(isTicket(entered), String(entered));
  return entered;
};

describe('slots for decisions', () => {
  test('are free at once for a newcomer, however many another organization requests', () => {
    const { enter, fill } = places();
    const flood = fill('hostile', 40);
    assert.equal(flood.filter(isTicket).length, 4);
    assert.ok(isTicket(enter('neighbour')));
    assert.ok(isTicket(enter('other')));
  });

  test('rotate between organizations, so that a long queue delays no short one', async () => {
    const { enter, fill } = places({ decidingMax: 2 });
    const [running] = fill('hostile', 30);
    const order: string[] = [];
    const follow = (holder: string, entered: ReturnType<typeof enter>): void => {
      if (!(entered instanceof Promise)) return;
      void entered.then((ticket) => {
        // The last in line waits in vain until long after this test.
        if (!isTicket(ticket)) return;
        order.push(holder);
        ticket.leave();
      });
    };
    const other = getTicket(enter('other'));
    for (let index = 0; index < 6; index += 1) follow('hostile', enter('hostile'));
    for (let index = 0; index < 3; index += 1) follow('neighbour', enter('neighbour'));
    getTicket(running).leave();
    other.leave();
    await sleep(20);
    assert.equal(order.length > 0 && order.slice(0, 4).filter((holder) => holder === 'neighbour').length >= 1, true, order.join());
  });

  test('are released once, for any number of releases and callers', () => {
    const { enter, fill } = places({ decidingMax: 2, waitingPerOrganizationMax: 0 });
    const ticket = getTicket(enter('a'));
    assert.deepEqual(fill('a', 2), ['holder', 'holder']);
    ticket.leave();
    ticket.leave();
    getTicket(enter('a')).leave();
    assert.equal(fill('a', 3).filter(isTicket).length, 1);
  });

  test('are refused at once beyond the queue bound, and after a timeout in the queue', async () => {
    const { enter, fill } = places({ waitMs: 60, waitingPerOrganizationMax: 3 });
    const hostile = fill('hostile', 10);
    assert.deepEqual(hostile.slice(7), ['holder', 'holder', 'holder']);
    assert.equal(await enter('hostile'), 'holder');
    assert.deepEqual(await Promise.all(hostile.slice(4, 7)), ['holder', 'holder', 'holder']);
    assert.ok(enter('hostile') instanceof Promise, 'and those who come later wait anew');
  });
});

describe('calls', () => {
  test('free their slot for the next decision, and have a bound of their own', () => {
    const { enter, fill } = places({ callingMax: 4, waitingPerOrganizationMax: 0 });
    for (let index = 0; index < 2; index += 1) getTicket(enter('hostile')).beginCall();
    assert.deepEqual(fill('hostile', 2), ['holder', 'holder']);
    const neighbour = getTicket(enter('neighbour'));
    neighbour.beginCall();
    neighbour.leave();
    assert.ok(isTicket(enter('neighbour')));
  });

  test('free capacity for others when they end', () => {
    const { enter } = places({ callingMax: 2 });
    const first = getTicket(enter('a'));
    first.beginCall();
    assert.equal(enter('a'), 'holder');
    first.leave();
    assert.ok(isTicket(enter('a')));
  });
});
