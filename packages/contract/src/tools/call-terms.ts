import { type Static, Type } from 'typebox';
import { closed, jsonObject, nullable, whole } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';

const { egress, execution } = LIMITS;

/** Of an answer; a * stands for each element of a list. */
const answerPointer = Type.String({
  maxLength: 300,
  pattern: '^(/([^~/]|~0|~1)*)+$',
  examples: ['/id'],
  description: 'JSON Pointer into the answer; * stands for each element of a list.',
});

const statuses = (pattern: string, examples: readonly string[], description: string) =>
  Type.Array(Type.String({ pattern, examples: [...examples] }), {
    minItems: 1,
    maxItems: execution.statusesMax,
    uniqueItems: true,
    description,
  });

const ANSWERED = '^[2-5]([0-9]{2}|xx)$';
const headerName = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$", description });

const FailureCondition = closed({
  pointer: answerPointer,
  equals: Type.Optional(
    Type.Unsafe<string | number | boolean | null>({
      anyOf: [{ type: 'string', maxLength: 200 }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }],
      description: 'The value that means failure. Left out: any that is there, but for null, false, and an empty text, list or object.',
    }),
  ),
});

/** What an answer has to be for the action to count as carried out, and what of it is kept. */
export const ResponseExpectations = closed({
  success_statuses: Type.Optional(statuses(ANSWERED, ['2xx', '404'], 'Statuses that mean success; 2xx when left out.')),
  failure_statuses: Type.Optional(statuses(ANSWERED, ['202'], 'Statuses that mean failure although they are among the others.')),
  content_types: Type.Optional(
    Type.Array(Type.String({ maxLength: 100, pattern: '^[a-z0-9!#$&^_.+-]+/(\\*|[a-z0-9!#$&^_.+-]+)$', examples: ['application/json'] }), {
      minItems: 1,
      maxItems: execution.contentTypesMax,
      uniqueItems: true,
      description: 'Content types that are accepted, such as application/json or text/*; any when left out. An empty answer needs none.',
    }),
  ),
  response_bytes_max: Type.Optional(whole(1, egress.responseBytesMax, 'A longer answer is not read to its end, and fails the action.')),
  fails_where: Type.Optional(
    Type.Array(FailureCondition, {
      minItems: 1,
      maxItems: execution.conditionsMax,
      description: 'Conditions for a failure in a JSON response with any status; one match is enough.',
    }),
  ),
  keep: Type.Optional(
    Type.Array(answerPointer, {
      minItems: 1,
      maxItems: execution.keptPartsMax,
      uniqueItems: true,
      description: 'The parts of a JSON answer that the agent and the record get, in their places; all of it when left out.',
    }),
  ),
});
export type ResponseExpectations = Static<typeof ResponseExpectations>;

/** That the destination carries out a call once however often it gets it. */
export const Idempotency = closed({
  key_header: Type.Optional(
    nullable(
      headerName(
        'Header in which the destination gets the key of the action, the same on each try; Idempotency-Key when left out. Null where it needs none: not for POST and PATCH.',
      ),
    ),
  ),
});
export type Idempotency = Static<typeof Idempotency>;

/** When a call is made again. Only tools that are idempotent may say so. */
export const Retries = closed({
  tries_max: whole(2, execution.triesMax, 'Tries in all, the first included. All of them together take no longer than one call may.'),
  statuses: Type.Optional(
    statuses('^[45]([0-9]{2}|xx)$', ['503'], 'Statuses after which it is tried again; 429, 502, 503 and 504 when left out.'),
  ),
  network_errors: Type.Optional(
    Type.Boolean({
      description: 'True to retry if the destination was unreachable, closed the connection or timed out. Default: true.',
    }),
  ),
  backoff_ms: Type.Optional(
    whole(
      execution.backoffMsMin,
      execution.backoffMsMax,
      `Before the second try; twice as long before each further one, with jitter; ${execution.backoffMs} when left out. A longer Retry-After of the destination is kept to.`,
    ),
  ),
  try_timeout_ms: Type.Optional(
    whole(execution.tryMsMin, execution.timeoutMsMax, 'For one try; what is left of the whole time when left out.'),
  ),
});
export type Retries = Static<typeof Retries>;

/** A call of a GraphQL service: a document that is sent as it is, and variables. */
export const GraphqlCall = closed({
  query: Type.String({
    minLength: 1,
    maxLength: execution.graphqlQueryCharsMax,
    pattern: '\\S',
    description: 'The document. No parameter ever becomes part of it: braces are its own.',
  }),
  operation_name: Type.Optional(Type.String({ maxLength: 200, pattern: '^[_A-Za-z][_0-9A-Za-z]*$' })),
  variables: Type.Optional(
    jsonObject('The variables; a string that is exactly {name} becomes that parameter. The whole parameters when left out.'),
  ),
});
export type GraphqlCall = Static<typeof GraphqlCall>;

/** What a tool says of its calls beyond the request itself. */
export const callTerms = {
  timeout_ms: Type.Optional(
    whole(
      execution.timeoutMsMin,
      execution.timeoutMsMax,
      'Time of a call in ms, all tries together; SVC_EGRESS_TIMEOUT_MS of the service when left out.',
    ),
  ),
  graphql: Type.Optional(GraphqlCall),
  expects: Type.Optional(ResponseExpectations),
  idempotency: Type.Optional(Idempotency),
  retries: Type.Optional(Retries),
  decision_header: Type.Optional(headerName('Header in which the destination gets the id of the action, which is that of its decision.')),
};
