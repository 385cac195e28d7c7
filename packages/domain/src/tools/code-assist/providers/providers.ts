import { anthropic } from './anthropic.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { Provider } from './provider.ts';

/** Every protocol by the word of its setting. */
export const PROVIDERS = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
} as const satisfies Readonly<Record<string, Provider>>;
export type ProviderName = keyof typeof PROVIDERS;
