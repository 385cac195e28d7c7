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
        code: { type: 'string', enum: ERROR_CODES, description: 'Stable error code for programs.' },
        message: { type: 'string', description: 'Description of the problem, for people.' },
        remedy: { type: 'string', description: 'Recommended action of the caller.' },
        docs_url: { type: 'string', format: 'uri-reference', description: 'Link to the description of the code.' },
        request_id: { type: 'string', description: 'Id of the request, for support.' },
        details: { type: 'object', additionalProperties: true, description: 'Machine-readable details; their members depend on the code.' },
      },
    },
  },
};

/** JSON body, JSON response, and the standard error format. */
export const json: Wire = {
  reads: [JSON_TYPE],
  answer: send,
  refuse: sendJsonRefusal,
  told: () => ({ body: JSON_TYPE, answer: JSON_TYPE, error: JSON_TYPE, errorSchema: ERROR_SCHEMA }),
};
