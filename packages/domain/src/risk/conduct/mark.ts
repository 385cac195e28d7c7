/** A keyed 64-bit hash of a name, as two words. Histories hold marks, never names. */
export type Mark = readonly [high: number, low: number];

export const markText = ([high, low]: Mark): string => `${high.toString(16).padStart(8, '0')}${low.toString(16).padStart(8, '0')}`;

const MARK = /^[0-9a-f]{16}$/;

export const readMark = (text: string): Mark | null =>
  MARK.test(text) ? [Number.parseInt(text.slice(0, 8), 16), Number.parseInt(text.slice(8), 16)] : null;
