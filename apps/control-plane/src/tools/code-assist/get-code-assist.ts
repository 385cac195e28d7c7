import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { CODE_LANGUAGES } from '@svc/contract/tools/code-assist.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ToolsDeps } from '../deps.ts';

const { sourceCharsMax, toolsMax } = LIMITS.codeAssist;

export const getCodeAssist: Handler<Endpoints['getCodeAssist'], ToolsDeps> = async (_, { codeAssist }) => ({
  enabled: codeAssist !== undefined,
  models: (codeAssist?.models ?? []).map((id) => ({ id })),
  languages: [...CODE_LANGUAGES],
  limits: { source_chars: sourceCharsMax, tools: toolsMax },
  sent_to: codeAssist?.host ?? null,
});
