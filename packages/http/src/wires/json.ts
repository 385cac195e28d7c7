import { ERROR_CODES } from '@svc/contract/tables/errors.ts';
import { send, sendJsonRefusal } from '../answers/reply.ts';
import type { Wire } from './wire.ts';

export const JSON_TYPE = 'application/json';

const ERROR_SCHEMA = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'remedy', 'docs_url', 'request_id'],
      properties: {
        code: { type: 'string', enum: ERROR_CODES, description: 'Stable; what programs branch on.' },
        message: { type: 'string', description: 'Description of the problem, for people.' },
        remedy: { type: 'string', description: 'Recommended action of the caller.' },
        docs_url: { type: 'string', format: 'uri-reference', description: 'The code explained, on the plane that answered.' },
        request_id: { type: 'string', description: 'Id of the request, for support.' },
        details: { type: 'object', additionalProperties: true, description: 'Facts a program can act on, by code.' },
      },
    },
  },
};

/** A JSON body, a JSON answer, and the one shape of errors. */
export const json: Wire = {
  reads: [JSON_TYPE],
  answer: send,
  refuse: sendJsonRefusal,
  told: () => ({ body: JSON_TYPE, answer: JSON_TYPE, error: JSON_TYPE, errorSchema: ERROR_SCHEMA }),
};
