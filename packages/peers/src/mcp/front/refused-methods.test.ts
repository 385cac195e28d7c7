import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusedMethod } from './refused-methods.ts';

test('each part of the protocol that is not governed is refused with a specific message', () => {
  const methods = [
    ...['resources/subscribe', 'resources/unsubscribe', 'completion/complete', 'subscriptions/listen', 'logging/setLevel'],
    ...['sampling/createMessage', 'roots/list', 'elicitation/create', 'tasks/get', 'no/such'],
  ];
  const sentences = methods.map(refusedMethod);
  assert.equal(new Set(sentences).size, methods.length);
  for (const sentence of sentences) assert.match(sentence, /^[A-Z].*\.$/);
});
