import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unknownType } from './unknown-type.ts';

test('names the likely intended type for an unknown one, or the list of types', () => {
  assert.equal(unknownType('agent.paused'), undefined);
  assert.equal(unknownType('agent.paused,agent.resumed'), undefined);
  assert.equal(unknownType('agent.paused,agent.resumd'), 'There is no event type "agent.resumd". Did you mean "agent.resumed"?');
  assert.equal(unknownType('agent.paused, agent.resumed'), 'There is no event type " agent.resumed". Did you mean "agent.resumed"?');
  assert.match(
    `${unknownType('nothing')}`,
    /^There is no event type "nothing"\. All event types are listed at POST \/v1\/audit-events\/export/,
  );
  assert.match(`${unknownType('')}`, /^There is no event type ""\./);
  assert.ok(`${unknownType('x'.repeat(2_000))}`.length < 200);
});
