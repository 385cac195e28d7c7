import { HOSTILE_DOWNSTREAM } from './calling-tool.ts';

/** Builds the maximum number of templates of a call part, each nearly of maximum length. */
const templates = (name: string) =>
  Object.fromEntries(Array.from({ length: 32 }, (_, turn) => [`${name}-${turn}`, 'some words '.repeat(170)]));

/** A declaration of nearly maximum size. */
export const LARGEST_TOOL = {
  kind: 'HTTP',
  destination_allowlist: [new URL(HOSTILE_DOWNSTREAM).host],
  parameters_schema: { type: 'object', properties: { a: { type: 'string', description: 'd'.repeat(30_000) } } },
  execution: {
    method: 'POST',
    url: HOSTILE_DOWNSTREAM,
    headers: templates('x-word'),
    query: templates('q'),
    body: 'some words '.repeat(2_900),
  },
};
