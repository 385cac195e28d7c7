import { CUT_OFF, count, member, type Provider, UNREADABLE } from './provider.ts';

/** Chat completions as OpenAI and compatible servers serve them. */
export const openaiChat: Provider = {
  headers: ({ key }) => ({ authorization: `Bearer ${key}` }),
  body: ({ model, system, user, tokensMax }) => ({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    temperature: 0,
    max_tokens: tokensMax,
    stream: false,
    response_format: { type: 'json_object' },
  }),
  read: (answer) => {
    const text = member(answer, 'choices', 0, 'message', 'content');
    if (typeof text !== 'string') return UNREADABLE;
    if (member(answer, 'choices', 0, 'finish_reason') !== 'stop') return CUT_OFF;
    const usage = { input_tokens: member(answer, 'usage', 'prompt_tokens'), output_tokens: member(answer, 'usage', 'completion_tokens') };
    return { text, usage: { input_tokens: count(usage.input_tokens), output_tokens: count(usage.output_tokens) } };
  },
};
