import { listParameterTexts } from '../parameter-texts.ts';
import type { Fired, SignalDefinition } from '../signal.ts';

const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

const MARKS: Readonly<Record<string, RegExp>> = {
  ignore_instructions:
    /\b(?:ignore|disregard|forget)\b[^.\n]{0,40}\b(?:previous|above|earlier|prior|all)\b[^.\n]{0,20}\b(?:instruction|prompt|rule|message)s?\b/i,
  role_change: /\b(?:you are now|from now on you are|new system prompt|developer mode)\b/i,
  control_token: /<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?INST\]|<<SYS>>/,
  conceal:
    /\b(?:do not|don't|never)\b[^.\n]{0,30}\b(?:tell|mention|inform|reveal|show)\b[^.\n]{0,30}\b(?:user|human|person|anyone|operator)\b/i,
  send_to: /\b(?:send|forward|post|upload|email|copy)\b[^.\n]{0,60}(?:https?:\/\/|[\w.+-]{1,64}@[\w-]{1,63}\.)/i,
};

/** Names of the marks of injected instructions in a text. */
const findMarks = (text: string): string[] => {
  const plain = text.replace(UNSEEN, '');
  return Object.keys(MARKS).filter((name) => MARKS[name]?.test(plain));
};

/** Two different marks at least, since each of them alone is in honest texts. */
const findInjection = (texts: readonly { readonly text: string; readonly pointer: string }[]): Fired | undefined => {
  const marks = new Set<string>();
  let pointer: string | undefined;
  for (const each of texts) {
    for (const mark of findMarks(each.text)) {
      pointer ??= each.pointer;
      marks.add(mark);
    }
  }
  if (marks.size < 2) return undefined;
  const names = [...marks];
  return {
    isHigher: marks.size >= 3,
    subject: pointer ?? '',
    sentence: `A text contains marks of injected instructions (${names.join(', ')}).`,
    evidence: { pointer, marks: names },
  };
};

export const injectionMarks: SignalDefinition = {
  name: 'injection_marks',
  look: ({ isOutgoing, parameters }) =>
    !isOutgoing || parameters === null ? undefined : findInjection(listParameterTexts(parameters).texts),
};
