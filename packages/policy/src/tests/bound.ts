/** The value to compare with: a number, or text that sorts in order of its meaning, such as dates and times of day. */
export type Bound = number | string;

const isNumber = (actual: unknown): actual is Bound => typeof actual === 'number' && Number.isFinite(actual);
const isText = (actual: unknown): actual is Bound => typeof actual === 'string';

/** Returns true if a value can be compared with the bound; one of another type cannot. */
export const fitsBound = (bound: Bound): ((actual: unknown) => actual is Bound) => (typeof bound === 'number' ? isNumber : isText);
