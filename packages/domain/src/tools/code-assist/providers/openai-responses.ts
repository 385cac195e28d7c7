import { CUT_OFF, count, member, type Provider, UNREADABLE } from './provider.ts';

const findTexts = (output: readonly unknown[]): readonly string[] =>
  output.flatMap((item) => {
    const content = member(item, 'content');
    return Array.isArray(content) ? content.map((part) => member(part, 'text')).filter((text) => typeof text === 'string') : [];
  });

/** Responses as OpenAI serves them. */
export const openaiResponses: Provider = {
  headers: ({ key }) => ({ authorization: `Bearer ${key}` }),
  body: ({ model, system, user, tokensMax }) => ({
    model,
    instructions: system,
    input: user,
    max_output_tokens: tokensMax,
    stream: false,
    store: false,
    text: { format: { type: 'json_object' } },
  }),
  read: (answer) => {
    const output = member(answer, 'output');
    if (!Array.isArray(output)) return UNREADABLE;
    if (member(answer, 'status') !== 'completed') return CUT_OFF;
    const text = findTexts(output).join('');
    const [input_tokens, output_tokens] = [member(answer, 'usage', 'input_tokens'), member(answer, 'usage', 'output_tokens')].map(count);
    return text === '' ? UNREADABLE : { text, usage: { input_tokens: input_tokens ?? 0, output_tokens: output_tokens ?? 0 } };
  },
};
