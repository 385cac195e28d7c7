const JSON_TEXT = Symbol('JSON text');

/** A result whose JSON text is written already. */
export type Written<Result> = { readonly [JSON_TEXT]: string; readonly of?: Result };

export const written = <Result>(text: string): Written<Result> => ({ [JSON_TEXT]: text });

/** The JSON text of whatever a handler answers. */
export const jsonTextOf = (result: unknown): string =>
  typeof result === 'object' && result !== null && JSON_TEXT in result ? (result as Written<unknown>)[JSON_TEXT] : JSON.stringify(result);
