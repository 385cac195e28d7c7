import type { RewriteMessage } from '../rewrite-message.ts';

export type ModelRequest = RewriteMessage & { readonly model: string; readonly tokensMax: number; readonly key: string };

export type ModelAnswer =
  | { readonly text: string; readonly usage: { readonly input_tokens: number; readonly output_tokens: number } }
  | { readonly fault: string };

/** A protocol that models are called with. */
export type Provider = {
  readonly headers: (request: ModelRequest) => Readonly<Record<string, string>>;
  readonly body: (request: ModelRequest) => object;
  /** Reads a complete answer; one that was cut off or has another form is a fault. */
  readonly read: (answer: unknown) => ModelAnswer;
};

type Members = Readonly<Record<string, unknown>>;

export const member = (value: unknown, ...names: readonly (string | number)[]): unknown =>
  names.reduce<unknown>(
    (found, name) => (typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? (found as Members)[name] : undefined),
    value,
  );

export const count = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0);

export const CUT_OFF: ModelAnswer = { fault: 'The answer of the model is not complete.' };
export const UNREADABLE: ModelAnswer = { fault: 'The answer of the provider has another form.' };
