import { type Static, Type } from 'typebox';
import { closedObject, jsonObject, nullable, wholeNumber } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';

const { egress, execution } = LIMITS;

/** JSON Pointer into a response; a * stands for each element of a list. */
const answerPointer = Type.String({
  maxLength: 300,
  pattern: '^(/([^~/]|~0|~1)*)+$',
  examples: ['/id'],
  description: 'JSON Pointer into the response; * matches each element of a list.',
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

const FailureCondition = closedObject({
  pointer: answerPointer,
  equals: Type.Optional(
    Type.Unsafe<string | number | boolean | null>({
      anyOf: [{ type: 'string', maxLength: 200 }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }],
      description: 'Value that indicates a failure. Defaults to any value except null, false, and an empty string, list or object.',
    }),
  ),
});

/** Conditions under which a response counts as success, and the parts of it that are stored. */
export const ResponseExpectations = closedObject({
  success_statuses: Type.Optional(statuses(ANSWERED, ['2xx', '404'], 'Statuses that indicate success. Default: 2xx.')),
  failure_statuses: Type.Optional(statuses(ANSWERED, ['202'], 'Statuses that indicate failure, even if success_statuses includes them.')),
  content_types: Type.Optional(
    Type.Array(Type.String({ maxLength: 100, pattern: '^[a-z0-9!#$&^_.+-]+/(\\*|[a-z0-9!#$&^_.+-]+)$', examples: ['application/json'] }), {
      minItems: 1,
      maxItems: execution.contentTypesMax,
      uniqueItems: true,
      description: 'Accepted content types, such as application/json or text/*. Defaults to any. An empty response needs none.',
    }),
  ),
  response_bytes_max: Type.Optional(
    wholeNumber(
      1,
      egress.responseBytesMax,
      'Maximum size of the response in bytes. A larger response is not read completely, and the action fails.',
    ),
  ),
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
      description:
        'Parts of a JSON response to return to the agent and to record, at their original positions. Defaults to the whole response.',
    }),
  ),
});
export type ResponseExpectations = Static<typeof ResponseExpectations>;

/** States that the destination executes a call once, however often it is sent. */
export const Idempotency = closedObject({
  key_header: Type.Optional(
    nullable(
      headerName(
        'Header for the idempotency key of the action, which is the same on each try. Default: Idempotency-Key. Null if the destination needs no key; not permitted for POST and PATCH.',
      ),
    ),
  ),
});
export type Idempotency = Static<typeof Idempotency>;

/** When a call is retried. Only for idempotent tools. */
export const Retries = closedObject({
  tries_max: wholeNumber(
    2,
    execution.triesMax,
    'Maximum number of tries, including the first. All tries together cannot exceed the timeout of one call.',
  ),
  statuses: Type.Optional(statuses('^[45]([0-9]{2}|xx)$', ['503'], 'Statuses to retry. Default: 429, 502, 503 and 504.')),
  network_errors: Type.Optional(
    Type.Boolean({
      description: 'True to retry if the destination was unreachable, closed the connection or timed out. Default: true.',
    }),
  ),
  backoff_ms: Type.Optional(
    wholeNumber(
      execution.backoffMsMin,
      execution.backoffMsMax,
      `Delay before the second try, doubled before each further try, with jitter. Default: ${execution.backoffMs}. A longer Retry-After of the destination is respected.`,
    ),
  ),
  try_timeout_ms: Type.Optional(
    wholeNumber(execution.tryMsMin, execution.timeoutMsMax, 'Timeout of one try. Defaults to the remaining time of the call.'),
  ),
});
export type Retries = Static<typeof Retries>;

/** A call of a GraphQL service: a fixed document, and variables. */
export const GraphqlCall = closedObject({
  query: Type.String({
    minLength: 1,
    maxLength: execution.graphqlQueryCharsMax,
    pattern: '\\S',
    description: 'GraphQL document. Parameters are never inserted into it; braces belong to the document.',
  }),
  operation_name: Type.Optional(Type.String({ maxLength: 200, pattern: '^[_A-Za-z][_0-9A-Za-z]*$' })),
  variables: Type.Optional(
    jsonObject('GraphQL variables. A string that is exactly {name} is replaced by that parameter. Defaults to all parameters.'),
  ),
});
export type GraphqlCall = Static<typeof GraphqlCall>;

/** Terms of a tool's calls in addition to the request itself. */
export const callTerms = {
  timeout_ms: Type.Optional(
    wholeNumber(
      execution.timeoutMsMin,
      execution.timeoutMsMax,
      'Time of a call in ms, all tries together; SVC_EGRESS_TIMEOUT_MS of the service when left out.',
    ),
  ),
  graphql: Type.Optional(GraphqlCall),
  expects: Type.Optional(ResponseExpectations),
  idempotency: Type.Optional(Idempotency),
  retries: Type.Optional(Retries),
  decision_header: Type.Optional(headerName('Header for the id of the action, which is also the id of its decision.')),
};
