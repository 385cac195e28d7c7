import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROVIDERS, type ProviderName } from './providers.ts';

const request = { model: 'one', system: 'Answer with JSON.', user: 'A source.', tokensMax: 900, key: 'a-key-of-the-provider' };

const ANSWERS: Readonly<Record<ProviderName, { readonly whole: object; readonly cut: object }>> = {
  'openai-chat': {
    whole: { choices: [{ message: { content: '{}' }, finish_reason: 'stop' }], usage: { prompt_tokens: 3, completion_tokens: 2 } },
    cut: { choices: [{ message: { content: '{' }, finish_reason: 'length' }] },
  },
  'openai-responses': {
    whole: { status: 'completed', output: [{ content: [{ text: '{}' }] }], usage: { input_tokens: 3, output_tokens: 2 } },
    cut: { status: 'incomplete', output: [{ content: [{ text: '{' }] }] },
  },
  anthropic: {
    whole: { content: [{ type: 'text', text: '{}' }], stop_reason: 'end_turn', usage: { input_tokens: 3, output_tokens: 2 } },
    cut: { content: [{ type: 'text', text: '{' }], stop_reason: 'max_tokens' },
  },
};

for (const [name, provider] of Object.entries(PROVIDERS) as [ProviderName, (typeof PROVIDERS)[ProviderName]][])
  test(`${name}: sends the key in a header only, and reads only a complete response`, () => {
    const body = JSON.stringify(provider.body(request));
    assert.ok(!body.includes(request.key) && body.includes('A source.') && body.includes('900'));
    assert.ok(JSON.stringify(provider.headers(request)).includes(request.key));
    const { whole, cut } = ANSWERS[name];
    assert.deepEqual(provider.read(whole), { text: '{}', usage: { input_tokens: 3, output_tokens: 2 } });
    for (const wrong of [cut, {}, null, undefined, [], 'text', { choices: 1, output: {}, content: 'x' }])
      assert.ok('fault' in provider.read(wrong));
  });
