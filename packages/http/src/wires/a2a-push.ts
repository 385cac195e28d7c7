import { JSON_TYPE, json } from './json.ts';
import type { Wire } from './wire.ts';

const A2A_TYPE = 'application/a2a+json';

/** Push notifications of Agent2Agent: JSON in the media type of the protocol. */
export const a2aPush: Wire = {
  ...json,
  reads: [A2A_TYPE, JSON_TYPE],
  told: (row) => ({ ...json.told(row), body: A2A_TYPE }),
};
