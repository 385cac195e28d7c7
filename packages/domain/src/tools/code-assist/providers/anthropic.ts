import { CUT_OFF, count, member, type Provider, UNREADABLE } from './provider.ts';

const VERSION = '2023-06-01';

/** Messages as Anthropic serves them. */
export const anthropic: Provider = {
  headers: ({ key }) => ({ 'x-api-key': key, 'anthropic-version': VERSION }),
  body: ({ model, system, user, tokensMax }) => ({
    model,
    system,
    messages: [{ role: 'user', content: user }],
    max_tokens: tokensMax,
    temperature: 0,
    stream: false,
  }),
  read: (answer) => {
    const content = member(answer, 'content');
    if (!Array.isArray(content)) return UNREADABLE;
    if (member(answer, 'stop_reason') !== 'end_turn') return CUT_OFF;
    const text = content
      .map((part) => member(part, 'text'))
      .filter((each) => typeof each === 'string')
      .join('');
    const [input_tokens, output_tokens] = [member(answer, 'usage', 'input_tokens'), member(answer, 'usage', 'output_tokens')].map(count);
    return text === '' ? UNREADABLE : { text, usage: { input_tokens: input_tokens ?? 0, output_tokens: output_tokens ?? 0 } };
  },
};
