import { type Mark, markText, readMark } from './mark.ts';

/** Marks of a request in its event, from which histories are folded. Nothing in it can be read back. */
export type ConductTrace = {
  readonly tool: Mark | null;
  readonly destination: Mark | null;
  readonly network: Mark | null;
  readonly record: Mark | null;
  /** In minor units of the base currency. */
  readonly amount: number | null;
  /** True for the first request of a flow context. */
  readonly beganContext: boolean;
};

const getText = (mark: Mark | null): string => (mark === null ? '' : markText(mark));

/** A trace as the member `conduct` of an event. */
export const writeTrace = ({ tool, destination, network, record, amount, beganContext }: ConductTrace): string =>
  [...[tool, destination, network, record].map(getText), amount ?? '', beganContext ? 1 : ''].join('.');

const NONE: ConductTrace = { tool: null, destination: null, network: null, record: null, amount: null, beganContext: false };

/** Reads the member `conduct` of an event. Everything that is not there, or not readable, is null. */
export const readTrace = (text: unknown): ConductTrace => {
  if (typeof text !== 'string') return NONE;
  const [tool = '', destination = '', network = '', record = '', amount = '', began = ''] = text.split('.');
  const value = amount === '' ? Number.NaN : Number(amount);
  return {
    tool: readMark(tool),
    destination: readMark(destination),
    network: readMark(network),
    record: readMark(record),
    amount: Number.isSafeInteger(value) && value >= 0 ? value : null,
    beganContext: began === '1',
  };
};
