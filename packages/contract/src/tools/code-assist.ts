import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, dottedName, enumSchema, nullable, wholeNumber } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { onTool } from './tools.ts';

const { codeAssist } = LIMITS;

export const CODE_LANGUAGES = ['typescript', 'javascript', 'python'] as const;
export type CodeLanguage = (typeof CODE_LANGUAGES)[number];

/** Why a proposal is not returned. */
const REWRITE_REFUSALS = ['ANSWER', 'SYNTAX', 'CHECK'] as const;

const CodeAssist = closedObject({
  enabled: Type.Boolean(),
  models: Type.Array(closedObject({ id: Type.String() })),
  languages: Type.Array(enumSchema(CODE_LANGUAGES)),
  limits: closedObject({ source_chars: Type.Integer(), tools: Type.Integer() }),
  sent_to: nullable(Type.String({ description: 'Host that sources are sent to; null if code assist is off.' })),
});

const RewriteProposal = closedObject({
  proposal_id: Type.String({ description: 'Id of the request (cap_), which its event names.' }),
  model: Type.String(),
  language: enumSchema(CODE_LANGUAGES),
  file: Type.String(),
  changes: Type.Array(closedObject({ key: Type.String(), line: Type.Integer(), before: Type.String(), after: Type.String() }), {
    description: 'New guard calls; empty if the proposal was refused.',
  }),
  patch: nullable(Type.String({ description: 'Unified diff; null if the proposal was refused.' })),
  source_hash: Type.String({ description: 'SHA-256 of the source, in hex.' }),
  checks: Type.Array(closedObject({ name: Type.String(), passed: Type.Boolean() })),
  usage: closedObject({ input_tokens: Type.Integer(), output_tokens: Type.Integer() }),
  refusal: nullable(
    closedObject({
      code: enumSchema(
        REWRITE_REFUSALS,
        'ANSWER: the answer of the model has another form. SYNTAX: a new call is no valid code. CHECK: a check failed.',
      ),
      sentence: Type.String(),
    }),
  ),
});
export type RewriteProposal = Static<typeof RewriteProposal>;

export const codeAssistEndpoints = {
  getCodeAssist: defineEndpoint({
    ...onTool({
      method: 'GET',
      path: '/v1/developer/code-assist',
      summary: 'Show whether code assist is on, its models, and the host that sources are sent to.',
      permissions: { none: 'a program shows what it may ask for before anything is sent' },
    }),
    result: CodeAssist,
    emits: [],
    refuses: [],
  }),
  rewriteGuardCalls: defineEndpoint({
    ...onTool({
      method: 'POST',
      path: '/v1/developer/code-assist/rewrite',
      summary:
        'Propose new guard calls for a source file with a hosted model. Only the guard calls can change, which is checked. The service writes no file.',
      permissions: ['tool:update'],
    }),
    body: closedObject({
      model: Type.String({ minLength: 1, maxLength: 120, description: 'One of the models of GET /v1/developer/code-assist.' }),
      language: enumSchema(CODE_LANGUAGES),
      file: Type.String({
        minLength: 1,
        maxLength: 300,
        pattern: '^[^\\u0000-\\u001f]+$',
        description: 'Path of the file, for the patch.',
      }),
      source: Type.String({
        minLength: 1,
        maxLength: codeAssist.sourceCharsMax,
        description: 'Content of the file, with each secret replaced by __SVC_SECRET_<8 hex digits>__.',
      }),
      tools: Type.Array(
        closedObject({
          key: dottedName('First argument of the guard call.', 'refund.create'),
          line: wholeNumber(1, codeAssist.sourceCharsMax, 'Line of the guard call, from 1.'),
          reason: Type.String({ minLength: 1, maxLength: codeAssist.reasonCharsMax, description: 'Purpose of the change.' }),
        }),
        { minItems: 1, maxItems: codeAssist.toolsMax },
      ),
    }),
    example: {
      model: 'a-model',
      language: 'typescript',
      file: 'src/refund.ts',
      source:
        "import { Governance } from '@svc/sdk/governance.ts';\nconst governance = new Governance(options);\nexport const refund = governance.guard('refund.create', pay);\n",
      tools: [{ key: 'refund.create', line: 3, reason: 'Send the amount.' }],
    },
    result: RewriteProposal,
    emits: ['code_assist.requested'],
    refuses: ['VALIDATION_FAILED', 'UNPROCESSABLE', 'RATE_LIMITED', 'DEPENDENCY_UNAVAILABLE'],
    automation: 'ALLOWED',
  }),
};
